import { type Command, Option } from 'commander'
import { countOf } from '../generate/flags.ts'
import { EXIT, type ExitCode } from '../process/exit.ts'
import { type Run, type Session, setAction } from '../session/session.ts'
import { DEFAULT_BASE_URL } from '../target/choice.ts'
import { checksOf, type Diagnosis, type DoctorCheck } from './doctor/checks.ts'

const SUMMARY = 'Look whether this machine has what a sandbox needs, and say how to mend what it lacks'

export function add(program: Command, run: Run) {
  const command = program
    .command('doctor')
    .helpGroup('Emulator:')
    .summary(SUMMARY)
    .description(`${SUMMARY}. Nothing is changed.`)
    .addOption(
      new Option('--port <port>', 'the port that the sandbox is to have')
        .argParser(countOf)
        .default(Number(new URL(DEFAULT_BASE_URL).port)),
    )
    .option('--data <dir>', 'the folder that its data are to lie in', '.sandbox')
    .addHelpText('after', AFTER)
  setAction(command, run, (session, _, options: { port: number; data: string }) => examine(session, options), {
    hasOwnRetries: true,
  })
}

const AFTER = `
Exits with 3 when a check fails. What is only worth knowing, such as that no sandbox runs, is no failure.

Examples:
  $ sandbox doctor
  $ sandbox doctor --port 8080 --data /tmp/sandbox
  $ sandbox doctor --base-url https://api.example.com`

async function examine(session: Session, options: { port: number; data: string }): Promise<ExitCode> {
  const { io, output } = session
  const checks: ({ check: string } & Diagnosis)[] = []
  for (const [check, look] of Object.entries<DoctorCheck>(checksOf(session, options))) {
    const stopSpinner = output.isForPeople ? await io.spin(check) : () => {}
    checks.push({ check, ...(await look().finally(stopSpinner)) })
  }
  const failed = checks.filter(({ outcome }) => outcome === 'failed').length
  output.data(
    { ok: failed === 0, checks: checks.map((one) => ({ ...one, mend: mendOf(one, output) })) },
    (paint, shown) => {
      const mark = { ok: paint.green('✓'), warning: paint.yellow('!'), failed: paint.red('✗') }
      const width = Math.max(...shown.checks.map(({ check }) => check.length))
      return shown.checks
        .flatMap(({ check, outcome, found, mend }) => [
          `${mark[outcome]} ${check.padEnd(width)}  ${found}`,
          ...(mend ? [`  ${' '.repeat(width)}  ${paint.dim(mend)}`] : []),
        ])
        .join('\n')
    },
  )
  return failed === 0 ? EXIT.ok : EXIT.configuration
}

const mendOf = ({ mend }: Diagnosis, { withProgramName }: Session['output']) =>
  mend === undefined ? null : withProgramName(mend)
