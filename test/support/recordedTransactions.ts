import { readFileSync } from 'node:fs'
import { fixturePath, readFixtureJson } from './fixtures.ts'

export type RecordedMessage = {
  readonly type: 'internal' | 'external-in' | 'external-out'
  readonly hash: string
  readonly src: string | null
  readonly dest: string | null
  readonly value?: string
  readonly created_lt?: string
  readonly body_hash: string
  readonly opcode?: number
}

/** A transaction of the recorded network, as another program read it from the blocks. */
export type RecordedTransaction = {
  readonly block: string
  readonly account: string
  readonly lt: string
  readonly hash: string
  readonly prev_lt: string
  readonly prev_hash: string
  readonly now: number
  readonly total_fees: string
  readonly old_state_hash: string
  readonly new_state_hash: string
  readonly in_msg?: RecordedMessage
  readonly out_msgs: readonly RecordedMessage[]
}

export const readRecordedTransactions = (): RecordedTransaction[] =>
  readFileSync(fixturePath('localnet/transactions.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedTransaction)

type Activity = readonly (Readonly<Record<string, unknown>> & { readonly step?: string })[]

/** Who did things on the recorded network: its wallet A, and the wallet in which A has jettons. */
export const readRecordedActors = (): { readonly walletA: string; readonly jettonWalletA: string } => {
  const [{ wallets } = {}, ...steps] = readFixtureJson<Activity>('localnet/activity.json')
  const walletA = (wallets as Readonly<Record<string, string>>)['A']!
  const jettonWalletA = steps.find(({ step }) => step === 'jetton wallets')!['jA'] as string
  return { walletA, jettonWalletA }
}
