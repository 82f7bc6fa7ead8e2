import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { randomSecret } from '../../../relay/random-secret.ts'
import { isPhone } from '../../../words/phone-number.ts'
import { shellPath } from '../../../words/shell.ts'
import { EXIT, usage } from '../../process/exit.ts'
import { makeFolder, writeWhole } from '../../process/files.ts'
import type { Session } from '../../session/session.ts'
import { contentsOf, type ProjectOptions } from './contents.ts'

export interface InitFlags {
  phone?: string
  receiverPort?: number
  force?: boolean
}

export async function init(session: Session, [folder = '.']: [string?], flags: InitFlags) {
  const { io, output } = session
  const project = { ...(await optionsOf(session, flags)), secret: randomSecret() }
  const contents = contentsOf(project)
  const files = Object.entries(contents).map(([name, text]) => ({
    path: join(folder, name),
    text,
    isPublic: !text.includes(project.secret),
  }))
  const existing = files.filter(({ path }) => statSync(resolve(io.cwd, path), { throwIfNoEntry: false }))
  // Before anything is written, so that no incomplete project remains.
  if (existing.length > 0 && !flags.force)
    await mayReplace(
      session,
      existing.map(({ path }) => path),
    )
  makeFolder(io, folder)
  for (const { path, text, isPublic } of files) await writeWhole(io, path, text, { force: true, isPublic })
  output.data({ files: files.map(({ path }) => path) }, (paint, shown) => {
    const [world, env, receiver] = shown.files.map(shellPath)
    // Without a slash, zsh and sh would look for the file in PATH.
    const sourced = env === '.env' ? './.env' : env
    return [
      ...shown.files.map((path) => `${paint.green('✓')} ${path} written`),
      paint.dim('  Keep .env and .sandbox/ out of version control.'),
      '',
      `  Terminal 1  ${paint.command(`start --world ${world}`)}`,
      `  Terminal 2  ${paint.typed(`node --env-file=${env} ${receiver}`)}`,
      `  Terminal 3  ${paint.typed(`set -a; . ${sourced}; set +a`)}  ${paint.dim('# loads the signing secret')}`,
      `              ${paint.command(`listen --forward-to ${project.receiverPort}/hook`)}`,
      `  Terminal 4  ${paint.command('send +491713920000 --text "Hello"')}`,
    ].join('\n')
  })
  return EXIT.ok
}

const DEFAULT_RECEIVER_PORT = 3000

async function optionsOf({ output }: Session, flags: InitFlags): Promise<Omit<ProjectOptions, 'secret'>> {
  let { phone, receiverPort } = flags
  if (output.canAsk && phone === undefined)
    phone = await output.ask({
      message: 'Your own phone number, to create with consent (empty for none)',
      isOptional: true,
    })
  while (output.canAsk && phone && !isPhone(phone))
    phone = await output.ask({
      message: `"${phone}" is not a phone number such as +4915112345678. Your own phone number (empty for none)`,
      isOptional: true,
    })
  if (phone && !isPhone(phone)) throw usage(`--phone must be written as +4915112345678, not "${phone}".`)
  if (output.canAsk && receiverPort === undefined) {
    const message = 'Port of your webhook receiver'
    const answer = await output.ask({ message, default: String(DEFAULT_RECEIVER_PORT) })
    receiverPort = Number(answer)
  }
  receiverPort ??= DEFAULT_RECEIVER_PORT
  if (!(receiverPort >= 1 && receiverPort <= 65_535)) throw usage('The port of the receiver must be from 1 to 65535.')
  return { phone: phone || undefined, receiverPort }
}

async function mayReplace({ output }: Session, paths: readonly string[]) {
  const problem = `${paths.join(', ')} already ${paths.length === 1 ? 'exists' : 'exist'}.`
  if (!output.canAsk) throw usage(problem, 'Nothing was written. Pass --force to replace them, or name another folder.')
  const answer = await output.ask({ message: `${problem} Replace?`, choices: ['no', 'yes'] })
  if (answer !== 'yes') throw usage('Nothing was written.')
}
