import { Alert } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { getErrorMessage } from '#contract/error-message.ts'
import { isRenewalWindow } from '#domains/access/sign-in/ui/renewal-window.ts'
import classes from '#domains/access/sign-in/ui/screen.module.css'
import { useAppEntry } from '#domains/access/sign-in/ui/useAppEntry.ts'
import { callApi } from '#ui/data/api.ts'
import { useSearchParams } from '#ui/data/search-params.ts'
import { saveSession } from '#ui/data/session-token.ts'
import { useDocumentTitle } from '#ui/layout/Screen.tsx'
import { singleSignOnContract } from '../contract.ts'

/** The page that the OpenID provider redirects back to. */
export default function SingleSignOnScreen() {
  useDocumentTitle('Single sign-on')
  const enter = useAppEntry()
  const [{ code, state, iss, error, error_description }] = useSearchParams()
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isRenewed, setRenewed] = useState(false)
  const begun = useRef(false)

  useEffect(() => {
    if (begun.current) return // a code works once
    begun.current = true
    async function finish() {
      if (!code || !state)
        return setRefusal(error_description ?? error ?? 'This page is opened by the sign-in service.')
      try {
        const answer = await callApi(singleSignOnContract.finish, { body: { code, state, ...(iss ? { iss } : {}) } })
        if ('error' in answer) return setRefusal(answer.error)
        if (isRenewalWindow()) {
          saveSession(answer.token)
          setRenewed(true)
        } else await enter(answer.token)
      } catch (problem) {
        setRefusal(getErrorMessage(problem))
      }
    }
    void finish()
  }, [code, state, iss, error, error_description, enter])

  return (
    <>
      <h1>Single sign-on</h1>
      {refusal === null ? (
        <p role="status">
          {isRenewed ? 'You are signed in. Close this window and go on in the other one.' : 'Signing in…'}
        </p>
      ) : (
        <>
          <Alert color="red" role="alert" className={classes.refusal}>
            {refusal}
          </Alert>
          <p>
            <Link to="/login">Back to the login page</Link>
          </p>
        </>
      )}
    </>
  )
}
