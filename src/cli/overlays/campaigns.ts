import type { Overlay } from '../overlay.ts'

export const campaigns: Record<string, Overlay> = {
  // commands/campaign.ts, which can follow a run.
  'campaigns.status': { skip: true },
  'campaigns.trigger': {
    examples: [
      'sandbox campaigns trigger 00000000-0000-4000-8000-000000000101',
      'sandbox campaigns status 00000000-0000-4000-8000-000000000101 --watch',
    ],
  },
}
