import { renameSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { documentOf, type Part } from '../../src/openapi/document.ts'
import { scenarioSchema, worldSchema } from './editor-schemas.ts'

/** The default address of an emulator. */
const BASE_URL = 'http://localhost:7270'

/** A document that is derived from the contracts and lies in fixtures/. */
export interface Generated {
  file: URL
  text: string
}

/** The one generated document in git: a reviewer sees in it what a change means for callers. */
export const golden = (): Generated => ({ file: fileOf('openapi.json'), text: textOf(openapi('service'), 2) })

/** Documents that each build writes beside the world files and scenarios which name them, for programs only. */
export const built = (): Generated[] => [
  { file: fileOf('control-openapi.json'), text: textOf(openapi('control')) },
  { file: fileOf('worlds/schema.json'), text: textOf(worldSchema()) },
  { file: fileOf('scenarios/schema.json'), text: textOf(scenarioSchema()) },
]

/** Replaces the file in one step, because editors and tests may read it at the same time. */
export function write({ file, text }: Generated): void {
  const path = fileURLToPath(file)
  writeFileSync(`${path}.${process.pid}`, text)
  renameSync(`${path}.${process.pid}`, path)
}

export const nameOf = ({ file }: Generated) => relative(process.cwd(), fileURLToPath(file))

const fileOf = (path: string) => new URL(`../../fixtures/${path}`, import.meta.url)
const openapi = (part: Part) => documentOf(part, BASE_URL)
const textOf = (document: unknown, indent?: number) => `${JSON.stringify(document, null, indent)}\n`
