import { type Noun, routeOutside } from '../world/noun.ts'
import { controlDocs, controlDocument, docsFile, serviceDocs, serviceDocument } from './actions.ts'
import { loadDocsFile, openControlDocs, openServiceDocs, showControlDocument, showServiceDocument } from './contract.ts'

/** The interface as documents for programs, and as pages for people. */
export const openapi: Noun = {
  routes: [
    routeOutside(showServiceDocument, serviceDocument),
    routeOutside(showControlDocument, controlDocument),
    routeOutside(openServiceDocs, serviceDocs),
    routeOutside(openControlDocs, controlDocs),
    routeOutside(loadDocsFile, docsFile),
  ],
}
