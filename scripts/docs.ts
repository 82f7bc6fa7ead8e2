/** Writes the generated parts of docs/, each between its markers; the rest is written by hand. */
import { writeFileSync } from 'node:fs'
import { pages } from './docs/pages.ts'

for (const { name, file, text } of pages()) {
  writeFileSync(file, text)
  console.log(`docs/${name}: ${text.split('\n').length} lines`)
}
