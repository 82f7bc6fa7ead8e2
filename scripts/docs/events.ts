import { eventExample } from '../../src/openapi/events.ts'
import { type CatalogueEntry, catalogue, eventNames } from '../../src/service/events/catalogue.ts'

/** Shows the events of the catalogue as they arrive at an endpoint. */
export const eventList = (): string =>
  eventNames
    .map((name) => {
      const { summary, choice }: CatalogueEntry = catalogue[name]
      const source = choice ? 'Name or fields are a [choice](choices.md) of this sandbox.' : 'Interface §6.'
      return `### ${name}\n\n${summary}. ${source}\n\n\`\`\`json\n${JSON.stringify(eventExample(name), null, 2)}\n\`\`\``
    })
    .join('\n\n')
