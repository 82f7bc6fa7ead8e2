import { parseScenario } from '../../src/scenarios/parse.ts'
import { type RunOptions, runScenario, type ScenarioOutcome } from '../../src/scenarios/run.ts'
import type { Sandbox } from '../sandbox.ts'

/** Runs the text of a scenario file in a sandbox; with `isEmulator: false` as if it were any service. */
export function runText(
  text: string,
  { url, apiKey }: Pick<Sandbox, 'url' | 'apiKey'>,
  { isEmulator = true, vars = {}, file = 'test.yaml' }: Partial<RunOptions> & { file?: string } = {},
): Promise<ScenarioOutcome> {
  const endpoint = { baseUrl: url, apiKey }
  const { signal } = new AbortController()
  return runScenario(parseScenario(text, file, Object.keys(vars)), { endpoint, isEmulator, signal, vars })
}

/** The message of the failed step, with its place. */
export const failureOf = ({ steps }: ScenarioOutcome): string | undefined => {
  const failed = steps.find(({ status }) => status === 'failed')
  return failed && `${failed.file}:${failed.line}: ${failed.message}`
}
