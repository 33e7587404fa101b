import { isAbsolute, relative } from 'node:path'
import { fromBase64 } from '../../primitives/base64.ts'
import { formatLiteServer } from '../../primitives/LiteServerAddress.ts'
import type { RunningNetwork } from './startNetwork.ts'

export type NetworkFacts = {
  readonly folder: string | undefined
  /** Why the index is unavailable, if it was requested. */
  readonly noIndex: string | undefined
  /** The generated token of the controls. */
  readonly madeToken: string | undefined
  /** How to call the program from here. */
  readonly program: string
  readonly workingDir: string
  /** Whether the HTTP server is where `call` looks for it. */
  readonly isAtDefaultPort: boolean
}

/** Start-up output: text for people, JSON for programs. */
export const describeNetwork = (network: RunningNetwork, facts: NetworkFacts) => {
  const { folder, noIndex, madeToken } = facts
  const { url, operations, indexed, liteserver, globalConfig, accounts, fork } = network
  const hasIndex = indexed !== undefined && noIndex === undefined
  const { mining } = network.controls.getStatus()
  const text = [
    'The network is running.',
    '',
    ...(url === undefined ? [] : describeHttp(url, hasIndex)),
    ...(madeToken === undefined ? [] : [`  token          ${madeToken}`]),
    ...(operations === undefined ? [] : [`  metrics        ${operations}/metrics`]),
    ...(noIndex === undefined ? [] : [`  indexed (v3)   not served: ${noIndex}`]),
    `  liteserver     ${liteserver.host}:${liteserver.port}`,
    `  key            ${liteserver.key}`,
    `  global config  ${shorten(globalConfig.path, facts.workingDir)}`,
    `  blocks         ${describeMining(mining)}`,
    `  stored in      ${folder === undefined ? 'memory only' : shorten(folder, facts.workingDir)}`,
    ...(fork === undefined ? [] : [`  fork of        ${fork.network} at block ${fork.seqno}`]),
    '',
    'Funded accounts. Their mnemonics are public: use them on this network only.',
    '',
    ...accounts.flatMap(({ name, address, walletType, mnemonic }) => [
      `  ${name.padEnd(6)} ${walletType.padEnd(11)} ${address}`,
      `         ${mnemonic}`,
    ]),
    '',
    ...describeTries(network, facts),
    'Press Ctrl-C to stop.',
  ].join('\n')
  const value = {
    ...(url !== undefined && { url, v2: `${url}/api/v2`, v2Ton: `${url}/ton/api/v2` }),
    ...(url !== undefined && hasIndex && { v3: `${url}/api/v3`, v3Ton: `${url}/ton/api/v3` }),
    ...(operations !== undefined && { operations }),
    ...(madeToken !== undefined && { controlsToken: madeToken }),
    liteserver,
    globalConfig: globalConfig.path,
    ...(fork !== undefined && { fork }),
    accounts: accounts.map(({ address, mnemonic, walletType }) => ({ address, mnemonic, walletType })),
  }
  return { text, value }
}

/** A path inside the current folder is shown from there. */
const shorten = (path: string, workingDir: string): string => {
  const short = relative(workingDir, path)
  return short.startsWith('..') || isAbsolute(short) ? path : short
}

/** Commands that work as they stand, in the folder of the start, in every shell. */
const describeTries = (
  { url, accounts, liteserver, globalConfig }: RunningNetwork,
  { program, workingDir, isAtDefaultPort, folder }: NetworkFacts,
): string[] => {
  const config = shorten(globalConfig.path, workingDir).replaceAll('\\', '/')
  const server = formatLiteServer({ ...liteserver, publicKey: fromBase64(liteserver.key) })
  const network = folder === undefined || /\s/.test(config) ? `--liteserver ${server}` : `--global-config ${config}`
  const calls =
    url === undefined
      ? []
      : [`${program} call getAddressBalance address=${accounts[0]?.address}${isAtDefaultPort ? '' : ` --url ${url}`}`]
  return [
    'Try, in another terminal:',
    ...[...calls, `${program} lite getMasterchainInfo ${network}`].map((line) => `  ${line}`),
    '',
  ]
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
