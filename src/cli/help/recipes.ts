/** Goals with the commands that reach them, for `sandbox help recipes` and docs/recipes.md; test/docs/recipes.test.ts runs them. */
export const RECIPES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'Run a sandbox': {
    'start a sandbox, and stop it': ['sandbox start', 'sandbox stop'],
    'start it in the background': ['sandbox start --detach'],
    'start it without files, on a free port': ['sandbox start --memory --port 0'],
    'see which service and key the commands use': ['sandbox status'],
    'print the address of the inspector, or open it': ['sandbox open --print', 'sandbox open'],
    'check this machine': ['sandbox doctor'],
    'start a project: world file, `.env` and receiver': ['sandbox init my-project'],
    'reset everything': ['sandbox world reset'],
    'save the world and return to it': ['sandbox snapshots save a', 'sandbox snapshots restore a'],
    'move the world to another sandbox': [
      'sandbox snapshots save here',
      'sandbox snapshots export here here.snap --force',
      'sandbox snapshots import here.snap there',
      'sandbox snapshots restore there',
    ],
    'start another sandbox with that world': ['sandbox start --snapshot here.snap --data there --port 7271'],
    'give two teams a world each': [
      'sandbox send +491713920050 --text Hi --api-key sk_sandbox_red',
      'sandbox messages list --api-key sk_sandbox_blue',
    ],
  },
  Send: {
    'send a text to a phone that reads all messages, and follow it': [
      'sandbox send +491713920000 --text Hello --watch',
    ],
    'send an email': ['sandbox send delivered@sandbox.test --subject Hello --text "How are you?"'],
    'send an email from a template': [
      'sandbox world show --query templates',
      'sandbox send delivered@sandbox.test --template tpl_00000000-0000-4000-8000-000000000001 --var name=Ada --var order_id=1042 --watch',
    ],
    'read an email, open it and click its first link': [
      'sandbox inbox show delivered@sandbox.test',
      'sandbox mailboxes open delivered@sandbox.test',
      'sandbox mailboxes click delivered@sandbox.test',
    ],
    'send suggestions, and tap the first as the person': [
      'sandbox send +491713920050 --text "Shall we?" --suggest-reply Yes --suggest-reply No --watch',
      'sandbox handsets tap +491713920050',
    ],
    'send a card; help send shows one': ['sandbox send +491713920050 --content card.json --watch'],
    'send the rows of a CSV file with the columns to and text': ['sandbox send --batch messages.csv'],
    'see a message as an iPhone displays it; --png phone.png makes a picture, with Chromium': [
      'sandbox preview last --as ios',
    ],
    'read what a phone received': ['sandbox inbox show +491713920050'],
    'let a message expire after one minute': [
      'sandbox send +491713920020 --text Hello --ttl 60s',
      'sandbox clock advance 2m',
    ],
    'explain why a message ended as it did': ['sandbox explain last'],
    'list failed messages with their reasons': ['sandbox messages list --status failed'],
    'find a message by its text': ['sandbox messages search Hello'],
  },
  'Contacts, consent, agents, money': {
    'create a contact': ['sandbox contacts create --email ada@example.com --first-name Ada --external-id ada-1'],
    'generate contacts for a load test': ['sandbox contacts generate 1000 --tag load --consent RCS:MESSAGE'],
    'ask for double opt-in': [
      'sandbox consent request ada-1 --channel-type EMAIL --message-type NEWSLETTER --doi-channel EMAIL --source form',
    ],
    'read the opt-in mail': ['sandbox inbox show ada@example.com'],
    'ask for an opt-in in a message, which needs consent for messages': [
      'sandbox contacts create --phone +491713920043 --external-id bob-1',
      'sandbox consent grant bob-1 --channel-type RCS --message-type MESSAGE --source form',
      'sandbox send +491713920043 --text "News? Reply YES" --watch',
      'sandbox handsets reply +491713920043 YES',
      'sandbox consent grant bob-1 --channel-type RCS --message-type NEWSLETTER --source reply',
      'sandbox send +491713920043 --text "20 % off" --message-type NEWSLETTER --traffic-type PROMOTION',
    ],
    'reply STOP as that person, and do what your application must do then': [
      'sandbox handsets reply +491713920043 STOP',
      'sandbox consent revoke bob-1 --channel-type RCS --message-type NEWSLETTER',
      'sandbox consent revoke bob-1 --channel-type RCS --message-type MESSAGE',
    ],
    'get an agent that can send, in one step': [
      'sandbox agents provision --region EUROPE --billing-category CONVERSATIONAL --use-case MULTI_USE --display-name Shop',
    ],
    'take the draft of the demo world to live, which takes 5 s; "agents create" prints the id of your own': [
      'sandbox agents submit ag_draft_00000000-0000-4000-8000-000000000005',
      'sandbox clock advance 5s',
      'sandbox agents launch-status ag_draft_00000000-0000-4000-8000-000000000005',
    ],
    'launch an agent on all carriers at once': [
      'sandbox agents set-launch ag_live_00000000-0000-4000-8000-000000000006 --all LAUNCHED',
    ],
    'define a campaign; help campaigns define shows one': ['sandbox campaigns define --data campaign.json --dry-run'],
    'start a campaign, let a day pass, and see its counts and its people': [
      'sandbox campaigns trigger 00000000-0000-4000-8000-000000000101',
      'sandbox clock advance 25h',
      'sandbox campaigns status 00000000-0000-4000-8000-000000000101',
      'sandbox campaigns contacts 00000000-0000-4000-8000-000000000101 --query sent',
    ],
    'run out of money, top up, and see the ledger': [
      'sandbox billing set-balance 0',
      'sandbox billing topup 50',
      'sandbox billing transactions --limit 5',
    ],
  },
  Simulate: {
    'move the clock by a day': ['sandbox clock advance 24h'],
    'stop the clock': ['sandbox clock mode frozen'],
    'switch a phone off and on': [
      'sandbox handsets set +491713920050 --off',
      'sandbox handsets set +491713920050 --on',
    ],
    'let 20 % fail on a carrier': ['sandbox carriers set nordfunk --fail 20% --reason REJECTED_SPAM'],
    'start an outage and end it': ['sandbox carriers set nordfunk --outage', 'sandbox carriers reset nordfunk'],
    'let the next 3 messages fail': [
      'sandbox rules add --to "+49171392005*" --outcome failed --reason REJECTED_SPAM --times 3',
    ],
    'let every third message to a carrier fail, such as those to +491713920050': [
      'sandbox rules add --carrier alpentel --every 3 --outcome failed --reason REJECTED_SPAM',
    ],
    'reply as a user': [
      'sandbox handsets reply +491713920050 Yes --agent ag_live_00000000-0000-4000-8000-000000000001',
    ],
    'answer the next 3 sends with 503; send --no-retry shows it': [
      'sandbox faults add --route POST:/v1/messages --status 503 --times 3',
      'sandbox faults clear',
    ],
    'deliver webhooks twice': ['sandbox faults add --event message.delivered --duplicate', 'sandbox faults clear'],
  },
  'Webhooks and tests': {
    'forward events to your server': ['sandbox listen --forward-to 3000/hook'],
    'print the signing secret': ['sandbox listen --print-secret'],
    'deliver again what failed': ['sandbox events replay --failed'],
    'register an endpoint': ['sandbox webhooks create --url http://localhost:3000/hook --events "message.*"'],
    'let all retries happen, and see them': ['sandbox clock advance 72h', 'sandbox events deliveries --limit 5'],
    'follow events or requests': ['sandbox events tail', 'sandbox logs --follow'],
    'wait for an event in a script': ['sandbox expect message.queued --message last'],
    'run a test suite with its own sandbox': ['sandbox exec -- npm test'],
    'record what you do as a scenario, and run it': [
      'sandbox record --since start --out story.yaml --force',
      'sandbox run story.yaml --dry-run',
    ],
    'check your webhook handler': ['sandbox verify-handler --url 3000/hook'],
    'compare a service with the sandbox': ['sandbox drift --profile staging'],
    'describe all commands for programs': ['sandbox commands --json'],
    'run a scenario file with a JUnit report; help run shows one': [
      'sandbox run story.yaml --junit results.xml --dry-run',
    ],
  },
}
