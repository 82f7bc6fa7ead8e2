import { readFile } from 'node:fs/promises'
import { isMap, isSeq, parseDocument } from 'yaml'
import type { Schedule } from '../../scenarios/deliveries.ts'
import { parseScenario } from '../../scenarios/parse.ts'
import { runScenario } from '../../scenarios/run.ts'
import { problem } from '../../words/problem.ts'
import type { Flow } from './flow.ts'

/** True if a flow is a file path. */
export const isPath = (name: string) => /\.ya?ml$/.test(name)

export const flowIn = async (path: string): Promise<Flow> => flowOf(await readFile(path, 'utf8'), path)

/** Parses a scenario file as a flow. Throws a Problem with all its faults. */
export function flowOf(text: string, file: string): Flow {
  const scenario = parseScenario(text, file)
  return {
    name: nameOf(file),
    summary: scenario.name,
    scenario: { text, schedule: scenario.deliveries },
    isQuick: scenario.deliveries?.quick,
    async run({ url, apiKey }) {
      const { signal } = new AbortController()
      const endpoint = { baseUrl: url, apiKey }
      const { steps } = await runScenario(scenario, { endpoint, isEmulator: true, signal })
      const failed = steps.find(({ status }) => status === 'failed')
      if (failed) throw problem('validation_error', `${file}:${failed.line}: ${failed.message}`)
    },
  }
}

/** The flow's name in seeds: `fixtures/Order placed.yaml` is `order-placed`. */
export const nameOf = (file: string) =>
  file
    .replace(/^.*[\\/]/, '')
    .replace(/\.ya?ml$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || 'scenario'

/** Leaves out the steps that advance to an instant: it is past where the same happens to other people in the same world. */
export function withoutInstants(text: string): string {
  const document = parseDocument(text)
  const steps = document.get('steps')
  const isInstant = (step: unknown) => isMap(step) && /^\d{4}-/.test(String(step.get('advance')))
  if (isSeq(steps)) steps.items = steps.items.filter((step) => !isInstant(step))
  return document.toString({ lineWidth: 0 })
}

/** Inserts a schedule into the file; the rest stays as written. */
export function withSchedule(text: string, { events, perturbations, ...flags }: Schedule): string {
  const document = parseDocument(text)
  const inLine = (value: unknown) => document.createNode(value, { flow: true })
  const deliveries = { events: inLine(events), perturbations: inLine(perturbations), ...flags }
  document.set('deliveries', document.createNode(deliveries))
  return document.toString({ lineWidth: 0 })
}
