import type { NounCommands } from '../noun.ts'

export const commands: NounCommands<'agents'> = {
  verbs: {
    setLaunch: {
      positional: ['carrier', 'status'],
      args: { id: { describe: 'id of the agent: ag_…' } },
      flags: { rejection_reason: '--reason' },
      examples: [
        'sandbox agents set-launch ag_live_00000000-0000-4000-8000-000000000006 rheinmobil LAUNCHED',
        'sandbox agents set-launch ag_live_00000000-0000-4000-8000-000000000001 nordfunk REJECTED --reason "No opt-out."',
      ],
    },
  },
}
