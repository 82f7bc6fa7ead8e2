import { render } from 'preact'
import './styles/theme.css'
import './styles/handset.css'
import { layOut } from '../display/handset/layout.ts'
import type { HandsetSender, PhonePlatform, RcsContent } from '../display/handset/shapes.ts'
import { Phone } from './handset/phone.tsx'
import { Chips, MessageView } from './handset/view.tsx'

/** A phone with one message, for `sandbox preview --png`. The page contains its data. */
interface Shown {
  content: RcsContent
  profile: PhonePlatform
  sender: HandsetSender
}

const { content, profile, sender } = JSON.parse(document.getElementById('shown')!.textContent!) as Shown
const layout = layOut(content, profile)

/** A picture cannot be tapped, so it says what a tap on “Options” opens. */
const menus = [...layout.cards.map(({ suggestions }) => suggestions), layout.chips]
  .map((chips) => chips.filter(({ visibility }) => visibility === 'folded'))
  .filter((folded) => folded.length > 0)

render(
  <Phone profile={profile} sender={sender}>
    <div class="turn">
      <MessageView layout={layout} isStill />
      <Chips chips={layout.chips} isStill />
      {menus.map((folded, i) => (
        <p key={i} class="not-shown">
          In “Options”: {folded.map(({ text }) => `“${text}”`).join(', ')}
        </p>
      ))}
    </div>
  </Phone>,
  document.getElementById('app')!,
)
