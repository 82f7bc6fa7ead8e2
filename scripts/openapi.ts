/** Writes the OpenAPI documents of the service and of the control plane, and the JSON Schema of world files. */
import { writeFileSync } from 'node:fs'
import { fixtures } from './openapi/fixtures.ts'

for (const { file, text } of fixtures()) {
  writeFileSync(file, text)
  console.log(`${file.pathname.split('/').slice(-2).join('/')}: ${text.length} characters`)
}
