import { useEffect, useState } from 'preact/hooks'
import type { ReferenceSetup } from '../ReferenceSetup.ts'

/** Values of the running network by the names of parameters. */
export type LiveValues = { readonly [name: string]: string }

const ELECTOR = `-1:${'3'.repeat(64)}`

/** Loads an account, a block and a transaction of the network, for examples that work. */
export const useLiveValues = ({ base, dialect, documents }: ReferenceSetup): LiveValues => {
  const [values, setValues] = useState<LiveValues>({})
  const hasV2 = documents.some(({ name }) => name === 'v2')
  useEffect(() => {
    // Without them, the examples of the descriptions are shown.
    if (hasV2) loadValues(`${base}${dialect === 'ton' ? '/ton' : ''}/api/v2`).then(setValues, () => {})
  }, [base, dialect, hasV2])
  return values
}

type Answer<T> = { readonly result: T }

const loadValues = async (api: string): Promise<LiveValues> => {
  const ask = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${api}/${path}`)
    if (!response.ok) throw new Error(`status ${response.status}`)
    return ((await response.json()) as Answer<T>).result
  }
  const { last } = await ask<{ last: { seqno: number; root_hash: string; file_hash: string } }>('getMasterchainInfo')
  const [latest] = await ask<{ transaction_id: { lt: string; hash: string } }[]>(
    `getTransactions?address=${ELECTOR}&limit=1`,
  )
  const seqno = String(last.seqno)
  return {
    address: ELECTOR,
    account: ELECTOR,
    seqno,
    mc_seqno: seqno,
    workchain: '-1',
    shard: '-9223372036854775808',
    root_hash: last.root_hash,
    file_hash: last.file_hash,
    method: 'active_election_id',
    stack: '[]',
    ...(latest && { lt: latest.transaction_id.lt, hash: latest.transaction_id.hash }),
  }
}
