import { type Route, routeOutside } from '../world/noun.ts'
import { controlDocs, controlDocument, docsFile, serviceDocs, serviceDocument } from './actions.ts'
import { loadDocsFile, openControlDocs, openServiceDocs, showControlDocument, showServiceDocument } from './contract.ts'

export const routes: readonly Route[] = [
  routeOutside(showServiceDocument, serviceDocument),
  routeOutside(showControlDocument, controlDocument),
  routeOutside(openServiceDocs, serviceDocs),
  routeOutside(openControlDocs, controlDocs),
  routeOutside(loadDocsFile, docsFile),
]
