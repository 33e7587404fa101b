import assert from 'node:assert/strict'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/core/json/parseJson.ts'
import { canonicalOf, readAddress } from '../../support/goldenAddress.ts'
import type { Question } from '../../support/goldenQuestion.ts'
import { compareValues } from './compareAnswer.ts'
import { contractRefusal } from './contractRefusal.ts'
import { answer, anything, type Expectation, either, incomparable, refusal } from './Expectation.ts'
import { type AskedCase, type GoldenSet, isNameByMistake } from './GoldenSet.ts'
import { withProofRoots } from './proofRoots.ts'
import {
  toAccountState,
  toBalance,
  toDetectedAddress,
  toExtHistory,
  toTokenData,
  toTransactionExt,
  toWalletInformation,
  withoutExtra,
  withoutFlags,
} from './pythonForms.ts'
import { servedAnswer } from './servedAnswer.ts'

/** A way in which we answer otherwise than was recorded, on purpose. */
export type Difference = {
  readonly name: string
  /** Why, with the section of the contract that says so. */
  readonly reason: string
  /** What is expected instead, or `undefined` where it does not bear on a case. Of several that do, each sees what the one before made. */
  readonly change: (golden: AskedCase, expected: Expectation, all: GoldenSet) => Expectation | undefined
}

const isPython = ({ server }: AskedCase): boolean => server === 'python-2.0'

/** Changes the result of a success of some endpoints of the 2.0 line. */
const inResult =
  (endpoints: readonly string[], change: (result: JsonObject, golden: AskedCase) => JsonValue): Difference['change'] =>
  (golden, expected) => {
    if (!isPython(golden) || !endpoints.includes(golden.question.endpoint ?? '')) return undefined
    if (expected.kind !== 'answer' || !isJsonObject(expected.result)) return undefined
    return answer(change(expected.result, golden))
  }

/** Where a refusal with one of these texts was recorded. */
const onText =
  (pattern: RegExp, change: (golden: AskedCase, all: GoldenSet) => Expectation): Difference['change'] =>
  (golden, expected, all) => {
    if (expected.kind !== 'refusal' || golden.status === 422) return undefined
    return expected.texts.some((text) => typeof text === 'string' && pattern.test(text))
      ? change(golden, all)
      : undefined
  }

const WIDEST = 1n << 256n

/** Whether arguments of a get-method have a number that the machine has not. */
const hasWideNumber = (stack: unknown): boolean =>
  Array.isArray(stack) &&
  stack.some((entry) => {
    if (!Array.isArray(entry) || entry[0] !== 'num' || !/^-?[0-9]+$/.test(String(entry[1]))) return false
    const value = BigInt(String(entry[1]))
    return value >= WIDEST || value < -WIDEST
  })

const locating = ['tryLocateTx', 'tryLocateResultTx', 'tryLocateSourceTx']
const sending = ['sendBoc', 'sendBocReturnHash', 'sendQuery', 'sendQuerySimple']

const withFees = (result: JsonObject, fees: JsonObject): JsonObject => ({
  ...result,
  source_fees: { ...(result['source_fees'] as JsonObject), ...fees },
})

const notToken = ({ params: { address } }: Question): Expectation => {
  const texts = [`${address}`, canonicalOf(readAddress(address)!)]
  return refusal(409, ...texts.map((text) => `Smart contract ${text} is not Jetton or NFT`))
}

/** What an account without code answers: the arguments, in decimal, and the number of the method `seqno` behind them. */
const echoOf = ({ params }: Question): JsonValue => {
  assert.equal(params['method'], 'seqno')
  const numbers = (params['stack'] as readonly { readonly number: { readonly number: string } }[]).map(
    ({ number }) => number.number,
  )
  const toEntry = (number: string): JsonObject => ({
    '@type': 'tvm.stackEntryNumber',
    number: { '@type': 'tvm.numberDecimal', number },
  })
  const toDecimal = (text: string): string => `${text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text)}`
  return {
    '@type': 'smc.runResult',
    gas_used: 0,
    stack: [...numbers.map(toDecimal), '85143'].map(toEntry),
    exit_code: -13,
  }
}

/** The head of the chain that we replay. */
const lastSeqno = 400

/** The list, in the order in which they apply. */
export const differences: readonly Difference[] = [
  {
    name: 'no such request',
    reason: 'A call of the node client that no v2 endpoint makes (section 10 tells which ones they make).',
    change: ({ call }) => (typeof call === 'string' ? incomparable(call) : undefined),
  },
  {
    name: 'a recording takes no messages',
    reason:
      'What was sent changed the network it was sent to; the replayed chain stands still (README of the recordings).',
    change: ({ question, pinned }) =>
      sending.includes(question.endpoint ?? '') && !pinned && contractRefusal(question) === undefined
        ? incomparable('The replayed chain takes no messages.')
        : undefined,
  },
  {
    name: 'refused by the contract',
    reason:
      'Sections 1, 3, 4, 6: a malformed or out-of-range value is 422 with the texts of the 2.1 line, before a node is involved.',
    change: ({ question, call }) => (typeof call === 'string' ? undefined : contractRefusal(question)),
  },
  {
    name: 'head of the chain',
    reason: 'Texts that name the newest block name that of the replayed chain (README: pinned false).',
    change: (_golden, expected) => {
      if (expected.kind !== 'refusal') return undefined
      const [text] = expected.texts
      if (typeof text !== 'string' || !/last known masterchain block: |shard_client_seqno=/.test(text)) return undefined
      const renamed = text
        .replace(/(last known masterchain block: )[0-9]+/, `$1${lastSeqno}`)
        .replace(/shard_client_seqno=[0-9]+ ls_seqno=[0-9]+/, `shard_client_seqno=${lastSeqno} ls_seqno=${lastSeqno}`)
      return refusal(expected.status, renamed)
    },
  },
  {
    name: 'locate everywhere',
    reason: '10.3.5 DEV: the search covers masterchain accounts, split shards and late deliveries; not found is 404.',
    change: (golden, expected, all) => {
      if (
        !locating.includes(golden.question.endpoint ?? '') ||
        expected.kind !== 'refusal' ||
        expected.status === 422
      ) {
        return undefined
      }
      const located = all.findLocated(golden.question)
      if (located === undefined) return refusal(404, 'transaction was not found')
      if (located.printed !== undefined) return answer(located.printed)
      return {
        kind: 'check',
        check: (result) => {
          const { transaction_id } = result as { transaction_id?: JsonObject }
          return transaction_id?.['hash'] === located.hash ? undefined : `expected transaction ${located.hash}`
        },
      }
    },
  },
  {
    name: 'any spelling of a token',
    reason: '14 #10: a parent recognizes its token whatever flags the address has.',
    change: onText(/^Verification with (Jetton master|NFT collection) failed$/, ({ question }, all) =>
      servedAnswer(question, all),
    ),
  },
  {
    name: 'not a token, by name',
    reason: '4.4: the error names the account as the caller wrote it, as in the 2.1 line.',
    change: onText(/^Smart contract is not Jetton or NFT$/, ({ question }) => notToken(question)),
  },
  {
    name: 'blank for plus',
    reason: '1, 14 #20: a space in a base64 hash may stand for a plus sign that was not encoded.',
    change: ({ question }, _expected, all) => {
      const { hash } = question.params
      if (typeof hash !== 'string' || !hash.includes(' ')) return undefined
      return either(refusal(422, /hash/), servedAnswer(question, all))
    },
  },
  {
    name: 'served by the contract',
    reason:
      'Sections 1, 3, 6, 10: POST for reads, both names of a parameter, every form of a hash, 1000 per page, and other requests that 2.0 refuses.',
    change: ({ server, status = 0, question }, expected, all) => {
      const isTheirs = [404, 405, 416, 422, 503, 504].includes(status) && contractRefusal(question) === undefined
      if (server !== 'python-2.0' || expected.kind !== 'refusal' || expected.status !== status || !isTheirs)
        return undefined
      return servedAnswer(question, all)
    },
  },
  {
    name: 'methods by number',
    reason: '10.5.1: a number is a method id, as JSON number or text; 2.0 takes it for a name.',
    change: ({ server, question, status }, _expected, all) =>
      server === 'python-2.0' && status === 200 && isNameByMistake(question) && contractRefusal(question) === undefined
        ? servedAnswer(question, all)
        : undefined,
  },
  {
    name: 'token data at a block',
    reason: '10.1.6: the state at the given seqno is used; 2.0 always reads the newest one.',
    change: ({ question }, expected) =>
      question.endpoint === 'getTokenData' && question.params['seqno'] !== undefined && expected.kind === 'answer'
        ? either(answer(toTokenData(expected.result as JsonObject, question.params['address'])), notToken(question))
        : undefined,
  },
  {
    name: 'typed numbers in hexadecimal',
    reason: '10.5.2: the 2.1 line converts hexadecimal numbers before the client sees them.',
    change: onText(/^Failed to parse dec string to int256$/, ({ question }) => answer(echoOf(question))),
  },
  {
    name: 'numbers beyond 257 bits',
    reason:
      'TVM integers have 257 bits. The node client echoes larger ones if the account has no code; we refuse them.',
    change: (golden, expected) =>
      isPython(golden) && expected.kind === 'answer' && hasWideNumber(golden.question.params['stack'])
        ? refusal(422, /^Invalid number: /)
        : undefined,
  },
  {
    name: 'nested too deep',
    reason: '10.5: the client never answers; we refuse.',
    change: onText(/^\(no answer from the library\)$/, () =>
      either(refusal(422, /./), refusal(533, /./), refusal(500, /./)),
    ),
  },
  {
    name: 'extra of the node client',
    reason: '2.2: the 2.1 line has @extra at the top, not in the result.',
    change: (_golden, expected) =>
      expected.kind === 'answer' && isJsonObject(expected.result) && '@extra' in expected.result
        ? answer(withoutExtra(expected.result))
        : undefined,
  },
  {
    name: 'ext.transaction',
    reason: '10.3.3, 12: histories have ext.* items with the account, and base64 without inner line breaks.',
    change: (golden, expected) => {
      const isHistory =
        golden.question.endpoint === 'getTransactions' || locating.includes(golden.question.endpoint ?? '')
      if (!isPython(golden) || !isHistory || expected.kind !== 'answer') return undefined
      return answer(toExtHistory(expected.result))
    },
  },
  {
    name: 'raw.transactionExt',
    reason: '10.3.2, 12: the account is in upper case, and req_count is the requested count.',
    change: inResult(['getBlockTransactionsExt'], (result, { question }) => ({
      ...result,
      req_count: Number(question.params['count'] ?? 40),
      transactions: (result['transactions'] as readonly JsonObject[]).map(toTransactionExt),
    })),
  },
  {
    name: 'lt 0 is none',
    reason: '10.3.3: lt 0 means no lt: the history starts at the newest transaction; 2.0 returns none.',
    change: ({ question, pinned }, expected) =>
      question.endpoint === 'getTransactions' &&
      pinned &&
      `${question.params['lt']}` === '0' &&
      expected.kind === 'answer'
        ? {
            kind: 'check',
            check: (result) => ((result as readonly JsonValue[]).length > 0 ? undefined : 'there is nothing'),
          }
        : undefined,
  },
  {
    name: 'more proof than needed',
    reason: 'A node may include the previous block in its proof (10.2.3: proofs of nodes are passed through).',
    change: ({ question, pinned }, expected) => {
      if (question.endpoint !== 'getShardBlockProof' || !pinned || expected.kind !== 'answer') return undefined
      const bare = withProofRoots(expected.result)
      return either(expected, {
        kind: 'check',
        check: (result) => compareValues(bare, withProofRoots(result), 'result')[0],
      })
    },
  },
  {
    name: 'no flags in headers',
    reason: '10.2.7, 12: 2.1 does not print the flags of a block.',
    change: inResult(['getBlockHeader'], withoutFlags),
  },
  {
    name: 'account information',
    reason: '10.1.1: amounts are always text, and there is a member suspended.',
    change: inResult(['getAddressInformation'], (result) => ({
      ...result,
      balance: toBalance(result['balance']),
      suspended: false,
    })),
  },
  {
    name: 'extended account information',
    reason: '10.1, 12: a missing account has balance 0, not −1; wallet ids are numbers.',
    change: inResult(['getExtendedAddressInformation'], (result) => ({
      ...result,
      balance: toBalance(result['balance']),
      account_state: toAccountState(result['account_state'] as JsonObject),
    })),
  },
  {
    name: 'wallet information',
    reason: '10.1.3, 12: it has a type and no currencies, amounts are text, wallet ids signed.',
    change: inResult(['getWalletInformation'], toWalletInformation),
  },
  {
    name: 'wallet id of the node client',
    reason: '7: the 2.1 line prints the wallet ids within account states as numbers.',
    change: ({ server, question }, expected) => {
      const isIt = server === 'tonlib' && question.endpoint === 'getExtendedAddressInformation'
      if (!isIt || expected.kind !== 'answer' || !isJsonObject(expected.result)) return undefined
      const { account_state } = expected.result
      if (!isJsonObject(account_state) || typeof account_state['wallet_id'] !== 'string') return undefined
      return answer({ ...expected.result, account_state: toAccountState(account_state) })
    },
  },
  {
    name: 'token data',
    reason: '10.1.6, 12: it has a type and the requested address, and numbers are text.',
    change: inResult(['getTokenData'], (result, { question }) => toTokenData(result, question.params['address'])),
  },
  {
    name: 'detected address',
    reason: '10.6, 12: it has a type, and the raw form is in lower case.',
    change: inResult(['detectAddress'], toDetectedAddress),
  },
  {
    name: 'packed address',
    reason: '10.6, 12: base64url.',
    change: ({ server, question }, expected) =>
      server === 'python-2.0' && question.endpoint === 'packAddress' && expected.kind === 'answer'
        ? answer((expected.result as string).replaceAll('+', '-').replaceAll('/', '_'))
        : undefined,
  },
  {
    name: 'unpacked address',
    reason: '10.6, 12: upper-case digits.',
    change: ({ server, question }, expected) =>
      server === 'python-2.0' && question.endpoint === 'unpackAddress' && expected.kind === 'answer'
        ? answer((expected.result as string).toUpperCase())
        : undefined,
  },
  {
    name: 'no friendly form',
    reason: '10.6: every address endpoint may refuse a workchain that does not fit a user-friendly address.',
    change: ({ question }, expected) => {
      const { workchain } = (question.endpoint === 'unpackAddress' && readAddress(question.params['address'])) || {
        workchain: 0,
      }
      return workchain === (workchain << 24) >> 24 ? undefined : either(expected, refusal(422, /address/i))
    },
  },
  {
    name: 'consensus block',
    reason: '10.2.4, 12: it has a type, and the time is an integer.',
    change: inResult(['getConsensusBlock'], (result) => ({
      ...result,
      '@type': 'ext.blocks.consensusBlock',
      timestamp: Math.floor(result['timestamp'] as number),
    })),
  },
  {
    name: 'storage until now',
    reason: 'README: rent is due for the time since, so of an estimate all but that is compared.',
    change: inResult(['estimateFee'], (result) => withFees(result, { storage_fee: anything })),
  },
  {
    name: 'of the moment',
    reason: 'README: what depends on the head at the time of recording is compared by shape only.',
    change: ({ pinned, question }, expected) =>
      !pinned && question.endpoint !== 'estimateFee' && expected.kind === 'answer'
        ? { kind: 'shape', result: expected.result }
        : undefined,
  },
]

/** Methods of the 2.0 line alone that are not served, and why. */
export const notServed: ReadonlyMap<string, string> = new Map([
  ['sendCellSimple', 'Section 11: it fails for every cell in the original (`INVALID_BAG_OF_CELLS`); use `sendBoc`.'],
  [
    'sendBocUnsafe',
    'Section 11: it returns ok even if the node refuses the message; use `sendBoc`, which returns the answer of the node.',
  ],
  [
    'getWorkerState',
    "Section 11: it shows the operator's nodes to every caller; operators have `/metrics` and `chaincenter doctor`.",
  ],
])

/** A way in which the shape of our answers differs from what the hosted service printed when it was recorded. */
export type ShapeDifference = {
  /** The lines of the comparison that it accounts for. */
  readonly lines: RegExp
  readonly reason: string
}

export const shapeDifferences: readonly ShapeDifference[] = [
  {
    lines: /\.@extra: expected (text|word), got none$/,
    reason: '2.2: the 2.1 line has @extra at the top, not in the result.',
  },
  {
    lines: /\.extra_currencies: expected none, got list$/,
    reason: 'Recorded before extra currencies were printed (10.1.1, 10.3.3).',
  },
  {
    lines: /^getAddressInformation: result\.suspended: expected none, got boolean$/,
    reason: '10.1.1: 2.1 has a member suspended.',
  },
  {
    lines: /^get(Address|Wallet)Information: result\.balance: expected integer, got decimal digits$/,
    reason: '10.1: 2.0 prints the number 0 for a missing account.',
  },
  {
    lines: /^getExtendedAddressInformation: result\.account_state\.wallet_id: expected decimal digits, got integer$/,
    reason: '7: wallet ids in account states are numbers in 2.1.',
  },
  {
    lines:
      /^(getTokenData|getWalletInformation|getConsensusBlock|detectAddress): result(\.(non_)?bounceable)?\.@type: expected none/,
    reason: '12: in 2.1 every result has a type.',
  },
  {
    lines:
      /^getTokenData: result\.(address: expected none|(index|next_item_index): expected integer, got decimal digits)/,
    reason: '10.1.6: token data repeats the address, and its numbers are text.',
  },
  {
    lines: /^getTokenData: result\.collection_address: expected none/,
    reason: 'The recorded item has no collection; ours has.',
  },
  {
    lines: /^getConsensusBlock: result\.timestamp: expected fraction, got integer$/,
    reason: '10.2.4: the time is an integer in 2.1.',
  },
  {
    lines: /@type: expected raw\.(transaction|message), got ext\.(transaction|message)$/,
    reason: '10.3.3: histories have their own item type in 2.1.',
  },
  {
    lines: /^(getTransactions|tryLocate\w+): result.*\.(address|account|hash): expected none/,
    reason: '10.3.3: recorded before transactions had their account and messages their hash.',
  },
  {
    lines: /^unpackAddress: result: expected raw address, lower case, got raw address, upper case$/,
    reason: '10.6: upper-case digits in 2.1.',
  },
  {
    lines:
      /^getMasterchainBlockSignatures: result\.(@type: expected blocks\.blockSignatures, got|session_id|slot|candidate)/,
    reason: '10.2.2: the local network uses another consensus with its own signature format.',
  },
  {
    lines: /^runGetMethod: result\.stack\[[0-9]\]\.cell\.object: expected none, got object$/,
    reason: '10.5.1: the source documentation omits the second form of cells.',
  },
  {
    lines: /^runGetMethodStd: result\.stack\[1\]/,
    reason: 'The substitute account leaves the method id on the stack.',
  },
  {
    lines: /^runGetMethod: result\.(block_id|last_transaction_id): expected none/,
    reason: '10.5.1: recorded before the result named its block and transaction.',
  },
]

/** Recorded transactions that are not printed as the transaction itself has it, by the start of their hash. */
export const misprinted: ReadonlyMap<string, string> = new Map([
  ['248fb03e0b09dfad', 'The client of 2022 did not print a state that is within its message.'],
  ['b863028a2f173322', 'The documentation it comes from leaves out one of the two messages.'],
])
