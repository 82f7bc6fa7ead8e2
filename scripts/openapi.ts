/** Writes the OpenAPI documents of the service and of the control plane, and the JSON Schemas of world files and scenarios. */
import { writeFileSync } from 'node:fs'
import { fixtures } from './openapi/fixtures.ts'

for (const { file, text } of fixtures()) {
  writeFileSync(file, text)
  console.log(`${file.pathname.split('/').slice(-2).join('/')}: ${text.length} characters`)
}
