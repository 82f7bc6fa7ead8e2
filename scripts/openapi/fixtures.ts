import { documentOf, type Part } from '../../src/openapi/document.ts'
import { scenarioSchema } from './scenario-schema.ts'
import { worldSchema } from './world-schema.ts'

/** The default address of an emulator. */
const BASE_URL = 'http://localhost:7270'

const FILES: Record<Part, URL> = {
  service: new URL('../../fixtures/openapi.json', import.meta.url),
  control: new URL('../../fixtures/control-openapi.json', import.meta.url),
}

/** Returns up-to-date versions of the committed documents. */
export const fixtures = () => [
  ...(Object.keys(FILES) as Part[]).map((part) => ({ file: FILES[part], text: textOf(documentOf(part, BASE_URL)) })),
  { file: new URL('../../fixtures/worlds/schema.json', import.meta.url), text: textOf(worldSchema()) },
  { file: new URL('../../fixtures/scenarios/schema.json', import.meta.url), text: textOf(scenarioSchema()) },
]

const textOf = (document: unknown) => `${JSON.stringify(document, null, 2)}\n`
