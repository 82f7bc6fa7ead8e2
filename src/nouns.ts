import { agents } from './agents/index.ts'
import { billing } from './billing/index.ts'
import { campaigns } from './campaigns/index.ts'
import { carriers } from './carriers/index.ts'
import { channels } from './channels/index.ts'
import { consent } from './consent/index.ts'
import { contacts } from './contacts/index.ts'
import { control } from './control/index.ts'
import { conversations } from './conversations/index.ts'
import { explain } from './explain/index.ts'
import { faults } from './faults/index.ts'
import { handsets } from './handsets/index.ts'
import { inbox } from './inbox/index.ts'
import { mailboxes } from './mailboxes/index.ts'
import { messages } from './messages/index.ts'
import { requests } from './requests/index.ts'
import { rules } from './rules/index.ts'
import { testAgent } from './test-agent/index.ts'
import { webhooks } from './webhooks/index.ts'
import type { Noun } from './world/noun.ts'

/**
 * Every concept of the emulator. Each brings its tables, due work and world-file sections; sections are loaded in this
 * order, so what others name comes first. What answers its operations is apart, see routes.ts.
 */
export const nouns: readonly Noun[] = [
  messages,
  billing,
  carriers,
  agents,
  channels,
  contacts,
  consent,
  conversations,
  campaigns,
  rules,
  explain,
  handsets,
  mailboxes,
  inbox,
  testAgent,
  webhooks,
  faults,
  requests,
  control,
]
