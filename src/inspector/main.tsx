import './styles/theme.css'
import './styles/shell.css'
import './styles/parts.css'
import './styles/messages.css'
import './styles/handset.css'
import './styles/mailbox.css'
import './styles/pages.css'
import { render } from 'preact'
import { followEvents } from './api/live.ts'
import { followAddress } from './api/place.ts'
import { takeTokenFromAddress } from './api/token.ts'
import { forgetConsent } from './handset/media-switch.tsx'
import { App } from './shell/app.tsx'
import { applyTheme } from './shell/theme.ts'
import { followActionsAndPages } from './ui/foot-command.ts'
import { nameTab } from './ui/title.ts'

followAddress(takeTokenFromAddress)
applyTheme()
forgetConsent()
followEvents()
followActionsAndPages()
nameTab()
render(<App />, document.getElementById('app')!)
