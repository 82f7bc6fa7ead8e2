import type { EXIT } from '../process/exit.ts'

/** Meanings of the exit codes, shown by `sandbox help exit-codes` and docs/cli.md. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'done',
  bug: 'bug in the sandbox; please report it',
  usage: 'wrong command line: unknown command, option, event or field; unreadable file',
  configuration: 'wrong configuration or key; wrong or missing world file; no sandbox where one is needed',
  refused: 'refused by the service; the request must change',
  notFound: 'not found',
  unreachable: 'service unreachable or failing (500), or no answer arrived',
  expectation: 'outcome differs from what was expected',
  timedOut: 'timed out while waiting',
  liveGuard: 'would change a real service without --live',
  invalidAnswer: 'answer does not follow the interface',
  temporary: 'temporarily refused (429, 503) after all retries; try again later',
  cannotExecute: 'exec: the command cannot be executed',
  commandNotFound: 'exec: no such command',
  interrupted: 'interrupted',
}
