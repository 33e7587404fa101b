import type { Config } from '../config/settings.ts'
import { createResolve, type FetchRules, fetchLimits } from '../metadata/fetch/FetchRules.ts'
import { isGlobalAddress } from '../metadata/isGlobalAddress.ts'

/** Rules of fetches for tokens, of their documents and pictures. */
export const fetchRulesOf = (
  { metadataHttp, metadataIpfsGateway }: Pick<Config, 'metadataHttp' | 'metadataIpfsGateway'>,
  version: string,
): FetchRules => ({
  allowHttp: metadataHttp,
  ipfsGateway: metadataIpfsGateway,
  isAllowedAddress: isGlobalAddress,
  resolve: createResolve(),
  limits: fetchLimits,
  userAgent: `chaincenter/${version}`,
})
