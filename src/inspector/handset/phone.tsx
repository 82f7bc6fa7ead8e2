import type { ComponentChildren, RefObject } from 'preact'
import { useState } from 'preact/hooks'
import type { HandsetSender, PhonePlatform } from '../../display/handset/shapes.ts'
import { allowsMedia } from './media-switch.tsx'

interface Props {
  profile: PhonePlatform
  sender: HandsetSender
  isOn?: boolean
  /** The scrolled element, for scrolling to the newest message. */
  scroll?: RefObject<HTMLDivElement | null>
  children: ComponentChildren
  foot?: ComponentChildren
}

/** A phone: agent above, conversation, input below. */
export function Phone({ profile, sender, isOn = true, scroll, children, foot }: Props) {
  const [isAgentOpen, setAgentOpen] = useState(false)
  return (
    <section
      class={`phone ${profile} ${isOn ? '' : 'off'}`}
      aria-label={`Phone (${profile === 'ios' ? 'iOS' : 'Android'})`}
    >
      <button type="button" class="agent" aria-expanded={isAgentOpen} onClick={() => setAgentOpen(!isAgentOpen)}>
        {!(isAgentOpen && profile === 'android') && <Logo sender={sender} />}
        <span class="agent-name">
          <bdi>{sender.name}</bdi>
          {sender.isVerified && (
            <span class="verified" role="img" aria-label="verified" title="Verified: the agent is approved">
              ✓
            </span>
          )}
        </span>
      </button>
      {isAgentOpen && <AgentPage profile={profile} sender={sender} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard. */}
      <div class="thread" ref={scroll} tabIndex={0} role="log" aria-label="Conversation">
        {children}
      </div>
      {!isOn && <p class="power">This phone is off. Messages wait until it is switched on.</p>}
      {foot}
    </section>
  )
}

/** A brand's colour; anything else in that field is ignored. */
const colorOf = (color: string | null | undefined) => (/^#[0-9a-f]{6}$/i.test(color ?? '') ? color! : undefined)

export const Logo = ({ sender: { name, color, logo_url } }: { sender: HandsetSender }) => (
  <span class="logo" style={{ background: colorOf(color) }} aria-hidden="true">
    {allowsMedia && logo_url ? <img src={logo_url} alt="" referrerpolicy="no-referrer" /> : [...name][0]?.toUpperCase()}
  </span>
)

/** Android shows banner, privacy policy and all contacts; iOS 26.2 shows neither banner nor privacy policy, according to vendors. */
function AgentPage({ profile, sender }: { profile: PhonePlatform; sender: HandsetSender }) {
  const isAndroid = profile === 'android'
  const lines = [
    ['Call', sender.phone],
    ['Email', sender.email],
    ['Website', sender.website],
    ['Privacy', isAndroid && sender.privacy_policy_url],
    ['Terms', isAndroid && sender.terms_of_service_url],
  ] as const
  return (
    <div class="agent-page">
      {isAndroid && (
        <div class="banner" style={{ background: colorOf(sender.color) }}>
          {allowsMedia && sender.banner_url && <img src={sender.banner_url} alt="" referrerpolicy="no-referrer" />}
          <Logo sender={sender} />
        </div>
      )}
      <p>{sender.description ?? 'This agent has no description.'}</p>
      <dl class="facts">
        {lines.map(([word, value]) =>
          value ? (
            <div key={word}>
              <dt>{word}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
      {!isAndroid && (sender.banner_url || sender.privacy_policy_url) && (
        <p class="not-shown">Not shown on iOS: banner, privacy link</p>
      )}
    </div>
  )
}
