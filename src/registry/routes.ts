import { routes as carriers } from '../controls/carriers/routes.ts'
import { routes as explain } from '../controls/explain/routes.ts'
import { routes as faults } from '../controls/faults/routes.ts'
import { routes as handsets } from '../controls/handsets/routes.ts'
import { routes as inbox } from '../controls/inbox/routes.ts'
import { routes as requests } from '../controls/logs/routes.ts'
import { routes as mailboxes } from '../controls/mailboxes/routes.ts'
import { routes as namespaces } from '../controls/namespaces/routes.ts'
import { routes as rules } from '../controls/rules/routes.ts'
import { routes as snapshots } from '../controls/snapshots/routes.ts'
import { routes as triggers } from '../controls/triggers/routes.ts'
import { routes as control } from '../controls/world/routes.ts'
import { routes as openapi } from '../openapi/routes.ts'
import { routes as agents } from '../service/agents/routes.ts'
import { routes as billing } from '../service/billing/routes.ts'
import { routes as campaigns } from '../service/campaigns/routes.ts'
import { routes as consent } from '../service/consent/routes.ts'
import { routes as contacts } from '../service/contacts/routes.ts'
import { routes as messages } from '../service/messages/routes.ts'
import { routes as testAgent } from '../service/test-agent/routes.ts'
import { routes as webhooks } from '../service/webhooks/routes.ts'
import type { Route } from '../world/noun.ts'

/** What answers each operation of every concept. Where several paths fit a request, the first does. */
export const routes: readonly Route[] = [
  messages,
  billing,
  carriers,
  agents,
  contacts,
  consent,
  campaigns,
  rules,
  explain,
  handsets,
  mailboxes,
  inbox,
  testAgent,
  triggers,
  webhooks,
  faults,
  requests,
  control,
  namespaces,
  snapshots,
  openapi,
].flat()
