/** Writes the OpenAPI documents of the service and of the control plane, and the JSON Schemas of world files and scenarios. */
import { built, golden, nameOf, write } from './openapi/fixtures.ts'

// The check regenerates what is not in git, and leaves it to a test to compare what is.
const documents = process.argv.includes('--built') ? built() : [golden(), ...built()]
for (const document of documents) {
  write(document)
  console.log(`${nameOf(document)}: ${document.text.length} characters`)
}
