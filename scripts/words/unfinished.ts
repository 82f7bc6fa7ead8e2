/**
 * Places where the word list does not apply yet, each below its owner. The owner who cleans a place removes its line;
 * the check refuses lines of clean places. The list ends empty.
 */
export const unfinished: readonly string[] = [
  // guard
  'docs/scenarios.md',
  // guard
  'fixtures/scenarios',
  // guard
  'src/scenarios',
  // guard
  'test/scenarios',
  // probe
  'docs/handlers.md',
  // probe
  'src/handlers',
  // probe
  'test/handlers',
  'scripts/bench/handlers.ts',
  'scripts/bench/tally.ts',
]
