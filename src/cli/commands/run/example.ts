/** A complete scenario file, shown in the help of `run`. */
export const SCENARIO_EXAMPLE = `name: An order is confirmed and read
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
  - advance: 24h
  - call: messages.send
    with:
      to: "+491713920043"
      agent_id: ag_live_00000000-0000-4000-8000-000000000001
      message_type: MESSAGE
      traffic_type: TRANSACTION
      content: { text: Hello }
    refused: missing_consent
`
