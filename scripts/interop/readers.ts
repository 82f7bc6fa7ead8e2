import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bin, checkTypes, type Package, run } from './packages.ts'

/** A program that reads a document and reports its faults. */
export interface Reader {
  tool: Package | '@redocly/cli'
  does: string
  /** Throws the faults. */
  read(folder: string, document: string): Promise<string>
}

/** Runs a short module beside the installed packages. */
async function script(folder: string, name: string, lines: string, ...args: string[]): Promise<string> {
  const file = join(folder, `${name}.mjs`)
  await writeFile(file, lines)
  const { stdout } = await run(process.execPath, [file, ...args], { cwd: folder })
  return stdout.trim()
}

export const readers: readonly Reader[] = [
  {
    tool: '@redocly/cli',
    does: 'lints, recommended rules',
    async read(_, document) {
      const config = new URL('../redocly.yaml', import.meta.url).pathname
      await run('npx', ['redocly', 'lint', '--config', config, document], {
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      })
      return 'no fault'
    },
  },
  {
    tool: '@stoplight/spectral-cli',
    does: 'lints, spectral:oas',
    async read(folder, document) {
      // A local sandbox has no operator, so the document has no contact.
      const rules = join(folder, 'spectral.yaml')
      await writeFile(rules, 'extends: ["spectral:oas"]\nrules: { info-contact: off }\n')
      await bin(folder, 'spectral', ['lint', '--quiet', '--fail-severity', 'warn', '--ruleset', rules, document])
      return 'no fault'
    },
  },
  {
    tool: '@apidevtools/swagger-parser',
    does: 'validates against the schema of OpenAPI 3.1',
    async read(folder, document) {
      const lines = `import * as parser from '@apidevtools/swagger-parser'
await (parser.default ?? parser.SwaggerParser).validate(process.argv[2])`
      await script(folder, 'swagger-parser', lines, document)
      return 'valid'
    },
  },
  {
    tool: '@scalar/openapi-parser',
    does: 'validates',
    async read(folder, document) {
      const lines = `import { readFileSync } from 'node:fs'
import { validate } from '@scalar/openapi-parser'
const { valid, errors } = await validate(readFileSync(process.argv[2], 'utf8'))
if (!valid) throw new Error(JSON.stringify(errors))`
      await script(folder, 'scalar', lines, document)
      return 'valid'
    },
  },
  {
    tool: 'openapi-zod-client',
    does: 'generates a valid program',
    async read(folder, document) {
      const file = document.replace('.json', '.zod.ts')
      await bin(folder, 'openapi-zod-client', [document, '-o', file])
      await checkTypes(folder, file)
      await run(process.execPath, [file], { cwd: folder })
      return 'types hold, runs'
    },
  },
]
