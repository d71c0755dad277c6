// node axe.mjs DIR PAGE...: runs axe on DIR/PAGE/report.html, with everything unfolded, at
// three widths, light and dark, and prints what it finds. Called by check.sh.
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

// contrast is the smallest of the page's SVG texts to the nearest background behind the
// figure, by WCAG 2.
function contrast() {
  const rgb = (c) => (c.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
  const light = (c) => {
    const [r, g, b] = rgb(c).map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const behind = (e) => (e === null ? "rgb(255, 255, 255)" : (rgb(getComputedStyle(e).backgroundColor)[3] ?? 1) > 0 ? getComputedStyle(e).backgroundColor : behind(e.parentElement));
  const ratios = [...document.querySelectorAll("svg text")].map((t) => {
    const [a, b] = [light(getComputedStyle(t).fill), light(behind(t.ownerSVGElement))];
    return Math.max(a, b) / Math.min(a, b);
  });
  return Math.min(...ratios, 21);
}

const [dir, ...pages] = process.argv.slice(2);
const axe = readFileSync(`${dir}/node_modules/axe-core/axe.min.js`, "utf8");
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
let found = 0;
const undecided = {};
let faintest = Infinity; // contrast of the text of figures, which axe does not judge
console.log("\n## axe\n\n| page | width | scheme | rules that pass | violations |\n| --- | --- | --- | --- | --- |");
for (const name of pages) {
  for (const width of [1280, 390, 360]) {
    for (const colorScheme of ["light", "dark"]) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
      const page = await context.newPage();
      await page.goto(`file://${dir}/${name}/report.html`);
      await page.evaluate(() => document.querySelectorAll("details").forEach((d) => (d.open = true)));
      await page.evaluate(axe);
      faintest = Math.min(faintest, await page.evaluate(contrast));
      const result = await page.evaluate(() => axe.run(document, { resultTypes: ["violations", "incomplete"] }));
      await context.close();
      found += result.violations.length;
      for (const i of result.incomplete) {
        const figures = i.nodes.every((n) => n.html.startsWith("<text")) ? " of text in figures" : "";
        (undecided[i.id + figures] ??= new Set()).add(name);
      }
      const words = result.violations.map((v) => `${v.id} ×${v.nodes.length}, first ${v.nodes[0].target.join(" ").replaceAll("|", "\\|")}`);
      console.log(`| ${name} | ${width} | ${colorScheme} | ${result.passes.length} | ${words.join("; ") || "none"} |`);
    }
  }
}
await browser.close();
console.log(`\nThe text of figures has a contrast of at least ${faintest.toFixed(1)} to what is behind them; 4.5 are asked for.`);
console.log("\naxe could not decide, and a person has to look at:");
for (const [id, where] of Object.entries(undecided).sort()) console.log(`- ${id}: ${[...where].join(", ")}`);
process.exit(found > 0 || faintest < 4.5 ? 1 : 0);
