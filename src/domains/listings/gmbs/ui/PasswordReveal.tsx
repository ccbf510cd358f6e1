import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { copyText } from '#ui/cells/clipboard.ts'
import { callApi } from '#ui/data/api.ts'
import { toastError } from '#ui/feedback/toast.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { gmbsContract } from '../contract.ts'

/** The stored password, read only on demand, because each reveal is logged. */
export function PasswordReveal({ id }: { id: number }) {
  const [password, setPassword] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)

  async function show() {
    setAsking(true)
    try {
      setPassword((await callApi(gmbsContract.secret, { params: { id } })).password)
    } catch (problem) {
      toastError(problem)
    } finally {
      setAsking(false)
    }
  }
  return (
    <div className={arrange.withButton}>
      <TextInput
        label="Current Password"
        value={password ?? ''}
        placeholder="Hidden; each view is logged"
        autoComplete="off"
        readOnly
        variant="filled"
      />
      {password === null ? (
        <Button variant="default" loading={isAsking} onClick={() => void show()}>
          Show
        </Button>
      ) : (
        <Button variant="default" onClick={() => void copyText(password)}>
          Copy
        </Button>
      )}
    </div>
  )
}
