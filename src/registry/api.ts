import * as agentControl from '../controls/agents/contract.ts'
import { campaignEvent, defineCampaign, runCampaign, showCampaign } from '../controls/campaigns/contract.ts'
import {
  listDeliveries,
  listEvents,
  moveCursor,
  replayEvent,
  showCursor,
  showEvent,
  showSecret,
  streamEvents,
} from '../controls/events/contract.ts'
import { explainMessage } from '../controls/explain/contract.ts'
import { addFault, clearFaults, listFaults, removeFault, showFault } from '../controls/faults/contract.ts'
import * as handsets from '../controls/handsets/contract.ts'
import { showInbox } from '../controls/inbox/contract.ts'
import { clearRequests, listRequests, showRequest, streamRequests } from '../controls/logs/contract.ts'
import * as mailboxes from '../controls/mailboxes/contract.ts'
import * as mailboxUserActions from '../controls/mailboxes/user-actions.contract.ts'
import { deleteNamespace, listNamespaces, resetNamespace } from '../controls/namespaces/contract.ts'
import * as rules from '../controls/rules/contract.ts'
import * as snapshots from '../controls/snapshots/contract.ts'
import { trigger } from '../controls/triggers/contract.ts'
import {
  advanceClock,
  dumpWorldFile,
  health,
  resetWorld,
  setClockMode,
  showClock,
  showWorld,
} from '../controls/world/contract.ts'
import { setRateLimits, showRateLimits } from '../controls/world/rate-limits.contract.ts'
import * as carriers from '../network/carriers/contract.ts'
import * as agents from '../service/agents/contract.ts'
import * as account from '../service/billing/account.contract.ts'
import * as billing from '../service/billing/contract.ts'
import { invoicePdf, invoices } from '../service/billing/invoices.contract.ts'
import * as campaigns from '../service/campaigns/contract.ts'
import { confirmConsent, listConsent, recordConsent, revokeConsent } from '../service/consent/contract.ts'
import {
  createContact,
  deleteContact,
  getContact,
  importContacts,
  updateContact,
} from '../service/contacts/contract.ts'
import * as messages from '../service/messages/contract.ts'
import * as testAgent from '../service/test-agent/contract.ts'
import { createWebhook, deleteWebhook, listWebhooks, testWebhook, updateWebhook } from '../service/webhooks/contract.ts'

/** Every operation by noun and verb: what the client, the CLI and the documents are made from. */
export const api = {
  messages: {
    send: messages.send,
    list: messages.list,
    get: messages.get,
    revoke: messages.revoke,
    explain: explainMessage,
  },
  agents: {
    create: agents.create,
    get: agents.get,
    update: agents.update,
    submit: agents.submit,
    launch: agents.launch,
    provision: agentControl.provision,
    review: agentControl.review,
    suspend: agentControl.suspend,
    reinstate: agentControl.reinstate,
    setLaunch: agentControl.setLaunch,
  },
  billing: {
    balance: billing.balance,
    usage: account.usage,
    tier: billing.tier,
    topup: account.topup,
    transactions: billing.transactions,
    invoices,
    invoicePdf,
    setAutoReload: account.setAutoReload,
    setAlerts: account.setAlerts,
  },
  contacts: {
    create: createContact,
    import: importContacts,
    get: getContact,
    update: updateContact,
    delete: deleteContact,
  },
  consent: { list: listConsent, record: recordConsent, revoke: revokeConsent, confirm: confirmConsent },
  campaigns: {
    trigger: campaigns.trigger,
    pause: campaigns.pause,
    resume: campaigns.resume,
    status: campaigns.status,
    define: defineCampaign,
    show: showCampaign,
    run: runCampaign,
    event: campaignEvent,
  },
  carriers: {
    list: carriers.listCarriers,
    show: carriers.showCarrier,
    update: carriers.updateCarrier,
    updateAll: carriers.updateCarriers,
    reset: carriers.resetCarrier,
    resetAll: carriers.resetCarriers,
  },
  rules: {
    add: rules.addRule,
    list: rules.listRules,
    show: rules.showRule,
    update: rules.updateRule,
    remove: rules.removeRule,
    clear: rules.clearRules,
  },
  inbox: { show: showInbox },
  webhooks: {
    create: createWebhook,
    list: listWebhooks,
    update: updateWebhook,
    delete: deleteWebhook,
    test: testWebhook,
  },
  events: {
    list: listEvents,
    show: showEvent,
    stream: streamEvents,
    cursor: showCursor,
    moveCursor,
    secret: showSecret,
    replay: replayEvent,
    deliveries: listDeliveries,
    trigger,
  },
  faults: { add: addFault, list: listFaults, show: showFault, remove: removeFault, clear: clearFaults },
  logs: { list: listRequests, show: showRequest, stream: streamRequests, clear: clearRequests },
  testAgent: { register: testAgent.register, verify: testAgent.verify, send: testAgent.send, status: testAgent.status },
  clock: { show: showClock, advance: advanceClock, mode: setClockMode },
  world: { health, show: showWorld, dump: dumpWorldFile, reset: resetWorld, rateLimits: showRateLimits, setRateLimits },
  namespaces: { list: listNamespaces, delete: deleteNamespace, reset: resetNamespace },
  snapshot: {
    save: snapshots.saveSnapshot,
    list: snapshots.listSnapshots,
    restore: snapshots.restoreSnapshot,
    fork: snapshots.forkSnapshot,
    delete: snapshots.deleteSnapshot,
    export: snapshots.exportSnapshot,
    import: snapshots.importSnapshot,
  },
  handset: {
    list: handsets.listHandsets,
    show: handsets.showHandset,
    set: handsets.setHandset,
    reset: handsets.resetHandset,
    inbox: handsets.handsetInbox,
    reply: handsets.replyFromHandset,
    tap: handsets.tapOnHandset,
  },
  mailbox: {
    list: mailboxes.listMailboxes,
    show: mailboxes.showMailbox,
    set: mailboxes.setMailbox,
    reset: mailboxes.resetMailbox,
    inbox: mailboxes.mailboxInbox,
    open: mailboxUserActions.openEmail,
    click: mailboxUserActions.clickEmail,
    bounce: mailboxUserActions.bounceEmail,
    complain: mailboxUserActions.complainOfEmail,
    unsubscribe: mailboxUserActions.unsubscribeByEmail,
  },
} as const

export type Api = typeof api
