/** A complete scenario file, shown in the help of `run`. */
export const SCENARIO_EXAMPLE = `name: An order is confirmed, read and answered
vars: { phone: "+491713920000" }
steps:
  - call: messages.send
    with:
      to: $phone
      agent_id: ag_live_00000000-0000-4000-8000-000000000001
      message_type: MESSAGE
      traffic_type: TRANSACTION
      content: { text: "Your order is on its way" }
    expect: { status: queued }
    save: { id: message_id }
  - wait: message.read
    where: { message_id: $id }
  - call: handsets.reply
    with: { phone: $phone, text: Thank you }
  - wait: conversation.started
    where: { from: $phone }
  - advance: 24h
  - call: contacts.get
    with: { id: nobody }
    refused: not_found
`

/** Steps for a world with an endpoint, which the complete file cannot assume. */
export const ASSERTED_DELIVERY = `- call: events.deliveries
  with: { subject: $id, event: message.read }
  until: { data: { $contains: { status: delivered } } }
`
