import type { Command } from 'commander'
import { DEFAULT_PORT } from '../../../words/default-url.ts'
import { EXIT, type ExitCode } from '../../process/exit.ts'
import { type Run, type Session, setAction } from '../../session/session.ts'
import { DEFAULT_DATA } from '../../target/choice.ts'
import { portOf } from '../start/port.ts'
import { checksOf, type Diagnosis, type DoctorCheck } from './checks.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('doctor')
    .description('Check this machine and suggest fixes')
    .option('--port <port>', 'port to check for the sandbox', portOf, DEFAULT_PORT)
    .option('--data <dir>', 'data folder to check', DEFAULT_DATA)
    .addHelpText('after', NOTES)
  setAction(command, run, { group: 'managing', effect: 'reads', needs: 'nothing', hasOwnRetries: true }, examine)
}

const NOTES = `
Nothing is changed. The exit code is 3 when a check fails; warnings do not count.

Examples:
  $ sandbox doctor
  $ sandbox doctor --port 8080 --data /tmp/sandbox
  $ sandbox doctor --base-url https://api.example.com`

async function examine(session: Session, _: unknown, options: { port: number; data: string }): Promise<ExitCode> {
  const { io, output } = session
  const checks: ({ check: string } & Diagnosis)[] = []
  for (const [check, look] of Object.entries<DoctorCheck>(checksOf(session, options))) {
    const stopSpinner = output.isForPeople ? await io.spin(check) : () => {}
    checks.push({ check, ...(await look().finally(stopSpinner)) })
  }
  const failed = checks.filter(({ outcome }) => outcome === 'failed').length
  output.data(
    { ok: failed === 0, checks: checks.map((one) => ({ ...one, remedy: remedyOf(one, output) })) },
    (paint, shown) => {
      const mark = { ok: paint.green('✓'), warning: paint.yellow('!'), failed: paint.red('✗') }
      const width = Math.max(...shown.checks.map(({ check }) => check.length))
      return shown.checks
        .flatMap(({ check, outcome, found, remedy }) => [
          `${mark[outcome]} ${check.padEnd(width)}  ${found}`,
          ...(remedy ? [`  ${' '.repeat(width)}  ${paint.dim(remedy)}`] : []),
        ])
        .join('\n')
    },
  )
  return failed === 0 ? EXIT.ok : EXIT.configuration
}

const remedyOf = ({ remedy }: Diagnosis, { withProgramName }: Session['output']) =>
  remedy === undefined ? null : withProgramName(remedy)
