import { useEffect, useState } from 'preact/hooks'

/** What stands behind the # of the address: the key of an operation, or the name of an interface. */
export const useHash = (): string | undefined => {
  const [hash, setHash] = useState(readHash)
  useEffect(() => {
    const read = (): void => {
      setHash(readHash())
      scrollTo(0, 0)
    }
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  return hash === '' ? undefined : hash
}

const readHash = (): string => decodeURIComponent(location.hash.slice(1))
