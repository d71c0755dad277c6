package schemas

// formatExample is the example of the protocol format, in which every key stands.
const formatExample = `version: 1
experiment: {id: homepage-cta, stopping: fixed}   # id or {column: exp_id}: many experiments in one log; stopping: fixed | rule-on-released | unknown (the default: then a corrected p is NOT APPLICABLE)
log:
  order: [ts, position]                # columns compared in turn must give a total order; a tie is an error that names both rows and proposes a column
  ties: error                          # error | file-order
  action: variant                      # int or string
  reward: clicked                      # bool, int, float, decimal
  reward_order: reward_ts              # when the reward became known, on the scale of order; absent: at once
  propensity: p                        # P(logged action)
  propensity_by_arm: probs             # list<double>, in arm order
  context: [age, {column: country, levels: [DE, FR], baseline: DE}]   # flat columns, categorical ones with levels; or {list: features}
  context_by_arm: arm_features         # instead: list<list<double>>, K×d
  reward_by_arm: all_rewards           # instead of reward: full-information tableau
  released_by_arm: noisy_sums          # what the policy saw: list<double> K, or list<list<double>> K×d
  eligible: available_arms             # list of arms or list<bool>; absent: all
  batch: dt                            # policy updates
  unit: user_id                        # repeated users; then a unit is the independent row
  missing_reward: error                # error | exclude (stays in the action history, leaves every estimate; H11 tests it) | exclude-independent (declared not to depend on the reward)
arms: [control, blue, green]           # labels in index order; absent: from the log, sorted (numbers as numbers), and K is then a lower bound
reward: {range: [0, 1], out_of_range: error}   # error | clip (before the counter, as the mechanism must have done) ; public and declared, never read off the data
policy:                                # absent = none declared
  name: ucb                            # uniform | fixed | epsilon-greedy | ucb | thompson | softmax | inverse-gap | exp3 | successive-elimination | linucb | lints
  width: {delta: 0.05}                 # √(2 ln(t/δ)/N); or {c: 2}: √(c ln t / N), which is UCB1
  bonus: quantile                      # none | quantile | paper : for the counter's noise (see below)
  floor: 0                             # exploration floor
  ties: first                          # first | seeded
  # epsilon-greedy: explore; thompson: prior {alpha, beta} or {mean, variance, noise}; softmax: eta; fixed: probabilities; linucb/lints: lambda, theta_bound, noise_sd, context_l1
  update: batch                        # or {every: 1}
  draws: 100000                        # where propensities need Monte Carlo
  seed: {file: seed.hex}               # 32 bytes, path relative to the protocol (a named file that is missing is exit 2); or {column: seed}; inline accepted with a warning
counter: {name: hybrid, epsilon: 0.25, horizon: 20000, grid: 2^-20}   # a parameter the counter does not have is an error; ε of EACH arm's counter; total = max over arms. exact | laplace | binary | hybrid | tree | interval | epochs
privacy: {definition: pure, epsilon: 0.25, delta: 0, unit: round}      # the claim; pure | approximate | zcdp (rho) ; round | user
analysis:
  chosen: before                       # before | from-actions | after-rewards: what whoever chose these tests had seen; must be given when tests are (exit 2)
  alpha: 0.05
  multiplicity: holm                   # none | bonferroni | holm | bh | by | e-bh
  means: varying                       # varying | constant: each arm's mean is one number in all rounds
  control: control
  correction: {method: conditional, beta: best}      # conditional | recursion | theorem20 | best
  regressions: [{name: main, arms: each, covariance: HC3, intercept: true}]   # classical | HC0..HC3 | {cluster: unit}
  tests:
    - {id: H1, arm: most-pulled, mean: 0.5, test: exact}                      # most-pulled | least-pulled | each | label; exact | t | z (sigma) | hoeffding
    - {id: H2, regression: main, arm: green, coefficient: age, value: 0, alternative: two-sided}
    - {id: H3, difference: [green, control], value: 0, test: welch}
    - {id: H4, regression: main, arm: green, joint: {age: 0, country: 0}}
  evaluate: [{id: V1, target: uniform}, {id: V2, target: {arm: green}}, {id: V3, target: {fixed: [0.5, 0.3, 0.2]}}, {id: V4, target: {column: p_new}, clip_weights: 20}, {id: V5, target: {policy: {name: ucb, width: {c: 2}}, mode: follows-log}}, {id: V6, target: {policy: {name: softmax, eta: 0.1}, mode: replay, floor: 0.05}}]
  clip_weights: 100
claims:
  - {id: P1, kind: privacy.total}
  - {id: B1, kind: bias.bound, comparator: "<=", threshold: 0.02, arms: all, severity: advisory}
`
