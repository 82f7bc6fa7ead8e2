import { explain } from '../controls/explain/index.ts'
import { faults } from '../controls/faults/index.ts'
import { handsets } from '../controls/handsets/index.ts'
import { requests } from '../controls/logs/index.ts'
import { mailboxes } from '../controls/mailboxes/index.ts'
import { rules } from '../controls/rules/index.ts'
import { control } from '../controls/world/index.ts'
import { carriers } from '../network/carriers/index.ts'
import { inbox } from '../network/inbox/index.ts'
import { agents } from '../service/agents/index.ts'
import { billing } from '../service/billing/index.ts'
import { campaigns } from '../service/campaigns/index.ts'
import { channels } from '../service/channels/index.ts'
import { consent } from '../service/consent/index.ts'
import { contacts } from '../service/contacts/index.ts'
import { conversations } from '../service/conversations/index.ts'
import { messages } from '../service/messages/index.ts'
import { testAgent } from '../service/test-agent/index.ts'
import { webhooks } from '../service/webhooks/index.ts'
import type { Noun } from '../world/noun.ts'

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
