import { routes as agents } from './agents/routes.ts'
import { routes as billing } from './billing/routes.ts'
import { routes as campaigns } from './campaigns/routes.ts'
import { routes as carriers } from './carriers/routes.ts'
import { routes as consent } from './consent/routes.ts'
import { routes as contacts } from './contacts/routes.ts'
import { routes as control } from './control/routes.ts'
import { routes as explain } from './explain/routes.ts'
import { routes as faults } from './faults/routes.ts'
import { routes as handsets } from './handsets/routes.ts'
import { routes as inbox } from './inbox/routes.ts'
import { routes as mailboxes } from './mailboxes/routes.ts'
import { routes as messages } from './messages/routes.ts'
import { routes as namespaces } from './namespaces/routes.ts'
import { routes as openapi } from './openapi/routes.ts'
import { routes as requests } from './requests/routes.ts'
import { routes as rules } from './rules/routes.ts'
import { routes as snapshots } from './snapshots/routes.ts'
import { routes as testAgent } from './test-agent/routes.ts'
import { routes as triggers } from './triggers/routes.ts'
import { routes as webhooks } from './webhooks/routes.ts'
import type { Route } from './world/noun.ts'

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
