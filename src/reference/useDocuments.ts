import { useEffect, useState } from 'preact/hooks'
import type { OpenApi } from './model/OpenApi.ts'
import { type Family, readFamily } from './model/Operation.ts'
import type { DocumentPlace } from './ReferenceSetup.ts'

/** The descriptions of all interfaces that are served. */
export const useDocuments = (places: readonly DocumentPlace[]) => {
  const [families, setFamilies] = useState<readonly Family[]>([])
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    Promise.all(places.map(load)).then(setFamilies, (error: unknown) =>
      setFailure(`The descriptions cannot be loaded: ${String(error)}`),
    )
  }, [places])
  return { families, failure }
}

const load = async ({ name, url }: DocumentPlace): Promise<Family> => {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} was answered with status ${response.status}.`)
  return readFamily(name, (await response.json()) as OpenApi)
}
