import type { JsonSchema } from '../../src/openapi/schema.ts'
import { ScenarioFile } from '../../src/scenarios/schema.ts'
import { forEditors } from './world-schema.ts'

/** Creates the JSON Schema of scenario files, for editors. */
export const scenarioSchema = (): JsonSchema => forEditors('Scenario of messaging-sandbox', ScenarioFile)
