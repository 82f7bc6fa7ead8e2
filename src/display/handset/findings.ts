/** All differences between request and display on handsets, with their public sources. */

interface Rule {
  profile: 'android' | 'ios' | 'both'
  /** drops: something is invisible; changes: it looks different; advice: a recommendation. */
  weight: 'drops' | 'changes' | 'advice'
  says: string
  source: string
}

const GOOGLE_CARDS = 'Google, RCS for Business: Rich cards'
const IOS_OBSERVED = 'iOS 26.2 as observed by Postscript, Infobip, Bird and AWS'

export const FINDINGS = {
  'android-description-cut': {
    profile: 'android',
    weight: 'drops',
    says: 'The card is too tall, so its description is cut to one line.',
    source: GOOGLE_CARDS,
  },
  'android-title-cut': {
    profile: 'android',
    weight: 'drops',
    says: 'The card is still too tall, so its title is cut to one line.',
    source: GOOGLE_CARDS,
  },
  'android-suggestion-dropped': {
    profile: 'android',
    weight: 'drops',
    says: 'There is no room for this suggestion; the last ones are dropped first.',
    source: GOOGLE_CARDS,
  },
  'android-description-dropped': {
    profile: 'android',
    weight: 'drops',
    says: 'There is no room for the description of the card.',
    source: GOOGLE_CARDS,
  },
  'android-title-dropped': {
    profile: 'android',
    weight: 'drops',
    says: 'There is no room for the title of the card.',
    source: GOOGLE_CARDS,
  },
  'android-carousel-height': {
    profile: 'android',
    weight: 'changes',
    says: 'The first cards of a carousel set its height; this card would be taller.',
    source: 'Sinch community, quoting Google',
  },
  'android-chips-vanish': {
    profile: 'android',
    weight: 'advice',
    says: 'Chips disappear when the next message arrives.',
    source: 'Google, RCS for Business: Suggestions',
  },
  'carousel-tall-in-small': {
    profile: 'both',
    weight: 'changes',
    says: 'SMALL cards do not support TALL media; the media is shown as MEDIUM.',
    source: 'Google, Dialogflow: RCS carousels',
  },
  'carousel-tall': {
    profile: 'both',
    weight: 'advice',
    says: 'Some carriers do not support TALL media in carousels.',
    source: 'AWS, RCS carousels',
  },
  'link-in-card': {
    profile: 'both',
    weight: 'changes',
    says: 'A link in the text of a card is plain text; put it into a suggestion.',
    source: 'Google, RCS for Business: Rich cards; AWS, RCS rich cards',
  },
  'ios-media-height': {
    profile: 'ios',
    weight: 'changes',
    says: 'Media have one height on iOS; the requested height has no effect.',
    source: IOS_OBSERVED,
  },
  'ios-horizontal-image': {
    profile: 'ios',
    weight: 'changes',
    says: 'The image of a horizontal card is cropped.',
    source: IOS_OBSERVED,
  },
  'ios-horizontal-video': {
    profile: 'ios',
    weight: 'changes',
    says: 'The video of a horizontal card is rotated.',
    source: IOS_OBSERVED,
  },
  'ios-card-buttons-folded': {
    profile: 'ios',
    weight: 'changes',
    says: 'Several buttons in a card are folded into a menu.',
    source: IOS_OBSERVED,
  },
  'ios-actions-folded': {
    profile: 'ios',
    weight: 'changes',
    says: 'More than two actions are folded into “Options”.',
    source: IOS_OBSERVED,
  },
  'ios-actions-first': {
    profile: 'ios',
    weight: 'changes',
    says: 'Actions are shown above replies, in any order of the request.',
    source: IOS_OBSERVED,
  },
  'ios-description-cut': {
    profile: 'ios',
    weight: 'drops',
    says: 'There is little room, so the description is shortened; title and buttons stay.',
    source: IOS_OBSERVED,
  },
  'ios-description-dropped': {
    profile: 'ios',
    weight: 'drops',
    says: 'There is no room for the description; title and buttons come first.',
    source: IOS_OBSERVED,
  },
  'ios-media-dropped': {
    profile: 'ios',
    weight: 'drops',
    says: 'There is no room for the media; title and buttons come first.',
    source: IOS_OBSERVED,
  },
  'ios-text-opens-alone': {
    profile: 'ios',
    weight: 'changes',
    says: 'A tap on a text of more than six lines opens only the text, without media and buttons.',
    source: IOS_OBSERVED,
  },
  'ios-gif-still': { profile: 'ios', weight: 'changes', says: 'A GIF does not move.', source: IOS_OBSERVED },
  'ios-carousel-uneven': {
    profile: 'ios',
    weight: 'changes',
    says: 'The cards of a carousel differ in height with their media and texts.',
    source: IOS_OBSERVED,
  },
  'ios-long-text': {
    profile: 'ios',
    weight: 'advice',
    says: 'Keep title and description to three lines each.',
    source: IOS_OBSERVED,
  },
  'ios-many-replies': {
    profile: 'ios',
    weight: 'advice',
    says: 'Offer at most three replies.',
    source: IOS_OBSERVED,
  },
  'ios-link-not-last': {
    profile: 'ios',
    weight: 'advice',
    says: 'Only a single link at the end of a text gets a preview.',
    source: IOS_OBSERVED,
  },
} as const satisfies Record<string, Rule>
