/** All differences between request and display on handsets, with their public sources. A code names its platform, if it has one. */

interface Rule {
  /** drops: something is invisible; changes: it looks different; advice: a recommendation. */
  weight: 'drops' | 'changes' | 'advice'
  says: string
  source: string
}

const drops = (says: string, source: string): Rule => ({ weight: 'drops', says, source })
const changes = (says: string, source: string): Rule => ({ weight: 'changes', says, source })
const advice = (says: string, source: string): Rule => ({ weight: 'advice', says, source })

const GOOGLE_CARDS = 'Google, RCS for Business: Rich cards'
const IOS_OBSERVED = 'iOS 26.2 as observed by Postscript, Infobip, Bird and AWS'

export const FINDINGS = {
  'android-description-cut': drops('The card is too tall, so its description is cut to one line.', GOOGLE_CARDS),
  'android-title-cut': drops('The card is still too tall, so its title is cut to one line.', GOOGLE_CARDS),
  'android-suggestion-dropped': drops(
    'There is no room for this suggestion; the last ones are dropped first.',
    GOOGLE_CARDS,
  ),
  'android-description-dropped': drops('There is no room for the description of the card.', GOOGLE_CARDS),
  'android-title-dropped': drops('There is no room for the title of the card.', GOOGLE_CARDS),
  'android-carousel-height': changes(
    'The first cards of a carousel set its height; this card would be taller.',
    'Sinch community, quoting Google',
  ),
  'android-chips-vanish': advice(
    'Chips disappear when the next message arrives.',
    'Google, RCS for Business: Suggestions',
  ),
  'carousel-tall-in-small': changes(
    'SMALL cards do not support TALL media; the media is shown as MEDIUM.',
    'Google, Dialogflow: RCS carousels',
  ),
  'carousel-tall': advice('Some carriers do not support TALL media in carousels.', 'AWS, RCS carousels'),
  'link-in-card': changes(
    'A link in the text of a card is plain text; put it into a suggestion.',
    'Google, RCS for Business: Rich cards; AWS, RCS rich cards',
  ),
  'ios-media-height': changes('Media have one height on iOS; the requested height has no effect.', IOS_OBSERVED),
  'ios-horizontal-image': changes('The image of a horizontal card is cropped.', IOS_OBSERVED),
  'ios-horizontal-video': changes('The video of a horizontal card is rotated.', IOS_OBSERVED),
  'ios-card-buttons-folded': changes('Several buttons in a card are folded into a menu.', IOS_OBSERVED),
  'ios-actions-folded': changes('More than two actions are folded into “Options”.', IOS_OBSERVED),
  'ios-actions-first': changes('Actions are shown above replies, in any order of the request.', IOS_OBSERVED),
  'ios-description-cut': drops(
    'There is little room, so the description is shortened; title and buttons stay.',
    IOS_OBSERVED,
  ),
  'ios-description-dropped': drops('There is no room for the description; title and buttons come first.', IOS_OBSERVED),
  'ios-media-dropped': drops('There is no room for the media; title and buttons come first.', IOS_OBSERVED),
  'ios-text-opens-alone': changes(
    'A tap on a text of more than six lines opens only the text, without media and buttons.',
    IOS_OBSERVED,
  ),
  'ios-gif-still': changes('A GIF does not move.', IOS_OBSERVED),
  'ios-carousel-uneven': changes('The cards of a carousel differ in height with their media and texts.', IOS_OBSERVED),
  'ios-long-text': advice('Keep title and description to three lines each.', IOS_OBSERVED),
  'ios-many-replies': advice('Offer at most three replies.', IOS_OBSERVED),
  'ios-link-not-last': advice('Only a single link at the end of a text gets a preview.', IOS_OBSERVED),
} satisfies Record<string, Rule>
