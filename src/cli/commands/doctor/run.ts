import { EXIT, type ExitCode } from '../../process/exit.ts'
import type { Session } from '../../session/session.ts'
import { checksOf, type Diagnosis, type DoctorCheck } from './checks.ts'

export async function examine(session: Session, options: { port: number; data: string }): Promise<ExitCode> {
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
