const agent_id = 'ag_live_00000000-0000-4000-8000-000000000001'
const channel_id = 'ch_00000000-0000-4000-8000-000000000001'
const rcs = { agent_id, to: '+491713920050', message_type: 'MESSAGE', traffic_type: 'TRANSACTION' }
const chip = { reply: { text: 'Yes', postback_data: 'eWVz' } }
const card = {
  title: 'A',
  description: 'B',
  media: { url: 'http://127.0.0.1:9/a.png', height: 'TALL' },
  suggestions: [chip],
}

/** Bodies that reach further than what a schema alone leads to. */
export const seeds: Readonly<Record<string, unknown[]>> = {
  'messages.send': [
    { ...rcs, content: { text: 'Hello', suggestions: [chip] } },
    { ...rcs, to: '+491713920030', content: { text: 'Hello' }, ttl: '60s' },
    {
      ...rcs,
      message_type: 'NEWSLETTER',
      traffic_type: 'PROMOTION',
      content: { rich_card: { carousel: { card_width: 'SMALL', cards: [card, card] } } },
    },
    {
      ...rcs,
      message_type: 'CONVERSATION',
      content: { rich_card: { standalone: { orientation: 'VERTICAL', content: card } } },
    },
    { ...rcs, template_id: 'tpl_00000000-0000-4000-8000-000000000002', template_data: { name: 'Ada', eta: 'noon' } },
    { channel_id, to: 'delivered@sandbox.test', subject: 'Hello', content: { html: '<p>Hello</p>', text: 'Hello' } },
    {
      channel_id,
      to: 'new@sandbox.test',
      template_id: 'tpl_00000000-0000-4000-8000-000000000001',
      template_data: { name: 'Ada', order_id: 7 },
    },
  ],
  'testAgent.register': [{ phone: '+491713920050' }],
  'clock.advance': [{ by: '2s' }, { by: '25h' }],
  'handsets.reply': [{ agent_id, text: 'Hello' }],
  'handsets.tap': [{ message_id: '{{MessageId 1}}', index: 0 }],
  'handsets.set': [
    { on: false },
    { on: true },
    { rcs_capable: false, replies: 'Hi' },
    { carrier: 'alpentel', taps: 0 },
  ],
  'mailboxes.set': [{ clicks: true, click_delay: '1s' }, { bounces: 'soft' }],
  'carriers.update': [{ failed: { REJECTED_SPAM: 0.2 } }, { throughput: 5 }, { preset: 'perfect' }],
  'agents.setLaunch': [{ carrier: 'nordfunk', status: 'SUSPENDED' }],
  'events.moveCursor': [{ seq: 0 }],
  'events.trigger': [
    { event: 'message.read', message_id: '{{MessageId 1}}' },
    { event: 'message.expired', message_id: '{{MessageId 2}}' },
    { event: 'message.failed', message_id: '{{MessageId 3}}', failure_reason: 'REJECTED_SPAM' },
    { event: 'email.bounced', message_id: '{{MessageId 4}}', bounce_type: 'soft' },
    { event: 'email.clicked', message_id: '{{MessageId 5}}', index: 0 },
    { event: 'conversation.started', phone: '+491713920050', text: 'Hello' },
    { event: 'agent.suspended', agent_id: 'ag_live_00000000-0000-4000-8000-000000000006' },
    { event: 'consent.confirmed', contact_id: 'magic-42' },
    { event: 'campaign.paused_error', campaign_id: '00000000-0000-4000-8000-000000000101' },
  ],
  'consent.record': [
    {
      channel_type: 'EMAIL',
      message_type: 'NEWSLETTER',
      status: 'PENDING',
      enforced_doi: true,
      doi_channel: 'RCS',
      source: 'form',
    },
  ],
  'campaigns.define': [
    {
      campaign_id: '{{CampaignId 1}}',
      name: 'Spring',
      trigger: 'API',
      audience: { tag: 'campaign-demo' },
      flow: [
        { node: 'SEND', id: 'send', ...rcs, to: undefined, content: { text: 'Hello' } },
        { node: 'END', id: 'end' },
      ],
    },
  ],
}

/** Operations that make what the others speak of come more often. */
export const weights: Readonly<Record<string, number>> = {
  'messages.send': 8,
  'contacts.create': 2,
  'consent.record': 2,
  'campaigns.trigger': 2,
  'handsets.reply': 2,
  'events.trigger': 2,
}
