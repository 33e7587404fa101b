import type { Shutdown } from '../../observe/Shutdown.ts'

/** Lets work come to its end, once it was told to stop, before what it works with is closed. */
export const letFinish = async <T>(shutdown: Shutdown, name: string, work: Promise<T>): Promise<T> => {
  const ended = work.then(
    () => undefined,
    () => undefined,
  )
  const forget = shutdown.add(name, () => ended)
  try {
    return await work
  } finally {
    forget()
  }
}
