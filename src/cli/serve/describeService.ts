import type { ServedUrls } from './listenService.ts'

/** What of a service there is to tell. */
export type ServiceFacts = { readonly hasLive: boolean; readonly hasIndex: boolean; readonly workers?: number }

/** What a person needs to go on with, and what a program does. */
export const describeService = ({ url, operations }: ServedUrls, { hasLive, hasIndex, workers = 1 }: ServiceFacts) => {
  const lines = [
    workers === 1 ? 'The service runs.' : `The service runs in ${workers} processes.`,
    '',
    `  explorer       ${url}`,
    `  reference      ${url}/docs`,
    ...(hasLive ? [`  live (v2)      ${url}/api/v2`] : []),
    ...(hasIndex ? [`  indexed (v3)   ${url}/api/v3`] : []),
    `  is it ready?   ${url}/ready`,
    ...(operations === undefined ? [] : [`  metrics        ${operations}/metrics`]),
    '',
    'Stop it with Ctrl-C.',
  ]
  const value = {
    url,
    ...(operations !== undefined && { operations }),
    ...(hasLive && { v2: `${url}/api/v2`, v2Ton: `${url}/ton/api/v2` }),
    ...(hasIndex && { v3: `${url}/api/v3`, v3Ton: `${url}/ton/api/v3` }),
  }
  return { text: lines.join('\n'), value }
}
