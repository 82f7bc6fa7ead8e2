import { z } from 'zod'
import { Problem, problem } from '../words/problem.ts'
import { type Noun, route, section } from '../world/noun.ts'
import { pause, resume, status, trigger } from './actions.ts'
import * as contract from './contract.ts'
import { define, event, keep, run, show, startOnDate } from './dashboard.ts'
import { campaignEvent, defineCampaign, runCampaign, showCampaign } from './dashboard-contract.ts'
import { CampaignDefinition } from './definition-contract.ts'
import { executionTables } from './execution-store.ts'
import { enrol, providerError, step, waited } from './steps.ts'
import { tables } from './store.ts'

export const campaigns: Noun = {
  tables: tables + executionTables,
  routes: [
    route(contract.trigger, trigger),
    route(contract.pause, pause),
    route(contract.resume, resume),
    route(contract.status, status),
    route(defineCampaign, define),
    route(showCampaign, show),
    route(runCampaign, run),
    route(campaignEvent, event),
  ],
  inside: {
    'campaign.start': startOnDate,
    'campaign.enrol': enrol,
    'campaign.step': step,
    'campaign.wait': waited,
    'campaign.provider_error': providerError,
  },
  sections: [
    section('campaigns', z.array(CampaignDefinition), (world, list) => {
      for (const [index, definition] of list.entries())
        try {
          keep(world, definition)
        } catch (error) {
          throw error instanceof Problem ? inFile(error, index) : error
        }
    }),
  ],
}

function inFile({ code, message, details }: Problem, index: number): Problem {
  const path = `campaigns[${index}].`
  return problem(code, path + message, {
    details: details.map((detail) => ({ ...detail, field: path + detail.field })),
  })
}
