/**
 * Places where the word list does not apply yet, each below its owner. The owner who cleans a place removes its line;
 * the check refuses lines of clean places. The list ends empty.
 */
export const unfinished: readonly string[] = [
  // guard
  // guard
  // guard
  // guard
  // probe
  // probe
  'src/handlers',
  // probe
]
