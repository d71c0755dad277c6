// node axe.mjs DIR PAGE...: runs axe on DIR/PAGE/report.html, with everything unfolded, at
// three widths, light and dark, and prints what it finds. Called by check.sh.
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const [dir, ...pages] = process.argv.slice(2);
const axe = readFileSync(`${dir}/node_modules/axe-core/axe.min.js`, "utf8");
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
let found = 0;
const undecided = {};
console.log("\n## axe\n\n| page | width | scheme | rules that pass | violations |\n| --- | --- | --- | --- | --- |");
for (const name of pages) {
  for (const width of [1280, 390, 360]) {
    for (const colorScheme of ["light", "dark"]) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
      const page = await context.newPage();
      await page.goto(`file://${dir}/${name}/report.html`);
      await page.evaluate(() => document.querySelectorAll("details").forEach((d) => (d.open = true)));
      await page.evaluate(axe);
      const result = await page.evaluate(() => axe.run(document, { resultTypes: ["violations", "incomplete"] }));
      await context.close();
      found += result.violations.length;
      for (const i of result.incomplete) (undecided[i.id] ??= new Set()).add(name);
      const words = result.violations.map((v) => `${v.id} ×${v.nodes.length}, first ${v.nodes[0].target.join(" ").replaceAll("|", "\\|")}`);
      console.log(`| ${name} | ${width} | ${colorScheme} | ${result.passes.length} | ${words.join("; ") || "none"} |`);
    }
  }
}
await browser.close();
console.log("\naxe could not decide, and a person has to look at:");
for (const [id, where] of Object.entries(undecided).sort()) console.log(`- ${id}: ${[...where].join(", ")}`);
process.exit(found > 0 ? 1 : 0);
