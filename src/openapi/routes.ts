import { type Route, routeAsync } from '../world/noun.ts'
import { controlDocs, controlDocument, docsFile, serviceDocs, serviceDocument } from './actions.ts'
import { loadDocsFile, openControlDocs, openServiceDocs, showControlDocument, showServiceDocument } from './contract.ts'

export const routes: readonly Route[] = [
  routeAsync(showServiceDocument, serviceDocument),
  routeAsync(showControlDocument, controlDocument),
  routeAsync(openServiceDocs, serviceDocs),
  routeAsync(openControlDocs, controlDocs),
  routeAsync(loadDocsFile, docsFile),
]
