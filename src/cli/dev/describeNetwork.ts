import { fromBase64 } from '../../primitives/base64.ts'
import { formatLiteServer } from '../../primitives/LiteServerAddress.ts'
import type { RunningNetwork } from './startNetwork.ts'

export type NetworkFacts = {
  readonly folder: string | undefined
  /** Why there is no index, where there was to be one. */
  readonly noIndex: string | undefined
  /** The token of the controls, where it was made and not given. */
  readonly madeToken: string | undefined
}

/** What a person needs to go on with, and what a program does. */
export const describeNetwork = (network: RunningNetwork, { folder, noIndex, madeToken }: NetworkFacts) => {
  const { url, operations, indexed, liteserver, globalConfig, accounts } = network
  const hasIndex = indexed !== undefined && noIndex === undefined
  const server = formatLiteServer({ ...liteserver, publicKey: fromBase64(liteserver.key) })
  const { mining } = network.controls.getStatus()
  const text = [
    'The network runs.',
    '',
    ...(url === undefined ? [] : describeHttp(url, hasIndex)),
    ...(madeToken === undefined ? [] : [`  their token    ${madeToken}`]),
    ...(operations === undefined ? [] : [`  metrics        ${operations}/metrics`]),
    ...(noIndex === undefined ? [] : [`  indexed (v3)   not served: ${noIndex}`]),
    `  liteserver     ${liteserver.host}:${liteserver.port}`,
    `  its key        ${liteserver.key}`,
    `  global config  ${globalConfig.path}`,
    `  blocks         ${describeMining(mining)}`,
    `  kept in        ${folder ?? 'memory only'}`,
    '',
    'Accounts with money in them. Their mnemonics are no secret: use them here only.',
    '',
    ...accounts.flatMap(({ name, address, walletType, mnemonic }) => [
      `  ${name.padEnd(6)} ${walletType.padEnd(11)} ${address}`,
      `         ${mnemonic}`,
    ]),
    '',
    ...(url === undefined
      ? []
      : [`Try: chaincenter call getAddressBalance address=${accounts[0]?.address} --url ${url}`]),
    `     chaincenter lite getMasterchainInfo --liteserver ${server}`,
    'Stop it with Ctrl-C.',
  ].join('\n')
  const value = {
    ...(url !== undefined && { url, v2: `${url}/api/v2`, v2Ton: `${url}/ton/api/v2` }),
    ...(url !== undefined && hasIndex && { v3: `${url}/api/v3`, v3Ton: `${url}/ton/api/v3` }),
    ...(operations !== undefined && { operations }),
    ...(madeToken !== undefined && { controlsToken: madeToken }),
    liteserver,
    globalConfig: globalConfig.path,
    accounts: accounts.map(({ address, mnemonic, walletType }) => ({ address, mnemonic, walletType })),
  }
  return { text, value }
}

const describeHttp = (url: string, hasIndex: boolean): string[] => [
  `  explorer       ${url}`,
  `  reference      ${url}/docs`,
  `  live (v2)      ${url}/api/v2`,
  ...(hasIndex ? [`  indexed (v3)   ${url}/api/v3`] : []),
  `  for clients    ${url}/ton/api/v2/jsonRPC`,
  `  controls       ${url}/dev`,
]

const describeMining = (mining: ReturnType<RunningNetwork['controls']['getStatus']>['mining']): string => {
  if (mining.mode === 'instant') return 'as soon as a message comes'
  if (mining.mode === 'manual') return 'only when told to'
  return `one every ${mining.intervalMs / 1000} s${mining.emptyBlocks ? '' : ', where there is something to put into it'}`
}
