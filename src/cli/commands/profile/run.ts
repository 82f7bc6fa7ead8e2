import { record, render } from '../../output/render.ts'
import { usage } from '../../process/exit.ts'
import type { Session } from '../../session/session.ts'
import { changeProfiles, type Profile, profileFile, readProfiles, requireProfile } from '../../target/profiles.ts'
import { leaveKeychain, shownKey } from './add.ts'

export async function useProfile({ io, output }: Session, [name]: [string?], { none = false }: { none?: boolean }) {
  if ((name === undefined) !== none) throw usage('Pass the name of a profile, or --none.')
  const { profiles } = await changeProfiles(io, ({ profiles }) => {
    if (name !== undefined) requireProfile({ profiles }, name, 'profile use')
    return name === undefined ? { profiles } : { current: name, profiles }
  })
  output.data({ in_use: name ?? null }, (paint, { in_use: shown }) =>
    shown === null
      ? `${paint.green('✓')} no profile is in use`
      : `${paint.green('✓')} ${paint.bold(shown)}  ${profiles[name!]!.base_url}`,
  )
}

export async function listProfiles({ io, output }: Session) {
  const { current, profiles } = readProfiles(io)
  const listed = Object.entries(profiles).map(([name, profile]) => shown(name, profile, current))
  output.data({ profiles: listed }, (paint, { profiles: shown }) =>
    render({ profiles: shown.map((one) => ({ ...one, api_key: keyInWords(one) })) }, paint, {
      columns: ['name', 'base_url', 'api_key', 'in_use'],
    }),
  )
}

const keyInWords = ({ api_key, api_key_in, api_key_command }: Profile) =>
  api_key ?? (api_key_in && `in the ${api_key_in}`) ?? (api_key_command && 'by a command')

export async function showProfile({ io, output }: Session, [name]: [string?]) {
  const { current, profiles } = readProfiles(io)
  const wanted = name ?? current
  if (wanted === undefined)
    throw usage('Missing profile name: no profile is in use.', 'To list the profiles: sandbox profile list')
  const one = { ...shown(wanted, requireProfile({ profiles }, wanted, 'profile show'), current), file: profileFile(io) }
  output.data(one, (paint, profile) => record(profile, paint))
}

export async function removeProfile({ io, output }: Session, [name]: [string]) {
  await changeProfiles(io, ({ current, profiles }) => {
    leaveKeychain(output, name, requireProfile({ profiles }, name, 'profile remove'))
    const { [name]: _, ...rest } = profiles
    return { ...(current === undefined || current === name ? {} : { current }), profiles: rest }
  })
  output.data({ removed: name }, (paint, { removed }) => `${paint.green('✓')} profile ${removed} is removed`)
}

const shown = (name: string, profile: Profile, current: string | undefined) => ({
  name,
  ...profile,
  ...shownKey(profile),
  in_use: name === current,
})
