import { z } from 'zod'
import { allowEveryone, signedIn, superAdminOnly } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { booleanField, idField, requiredText } from '#contract/fields.ts'
import { secondFactorMethods } from './labels.ts'

const pendingSignInSchema = z.object({ challenge: z.string(), methods: z.array(z.enum(secondFactorMethods)) })
export type PendingSignIn = z.infer<typeof pendingSignInSchema>

/**
 * What a way in answers: a session, at first only for setting up a second factor where `must_enrol` is true; the question for
 * the second factor; or, with 200, why not, so that it is shown under the form and is no failed call.
 */
export const signInAnswerSchema = z.union([
  z.object({ token: z.string(), must_enrol: z.literal(true).optional() }),
  z.object({ second_factor: pendingSignInSchema }),
  z.object({ error: z.string() }),
])
const tokenOrErrorSchema = z.union([z.object({ token: z.string() }), z.object({ error: z.string() })])

const passkeySchema = z.object({
  id: idField,
  name: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
})
export type Passkey = z.infer<typeof passkeySchema>

const codeSentence = 'Please input the code'
const codeField = z.string(codeSentence).trim().min(1, codeSentence).max(100, codeSentence)
/** A code of an authenticator app. */
export const codeFormSchema = z.strictObject({ code: codeField })

/** What a browser's authenticator answers; the library reads the rest of it. */
const credentialField = z.looseObject({
  id: z.string().max(2000),
  rawId: z.string().max(2000),
  type: z.literal('public-key'),
  response: z.looseObject({ clientDataJSON: z.string() }),
  clientExtensionResults: z.looseObject({}).default({}),
})
export type SentCredential = z.output<typeof credentialField>
/** Options for the browser's authenticator, as WebAuthn spells them. */
const authenticatorOptionsSchema = z.looseObject({ challenge: z.string() })

const oneProofSentence = 'Please send one proof'
const hasOneOf =
  (...names: string[]) =>
  (sent: object) =>
    names.filter((name) => Reflect.get(sent, name) !== undefined).length === 1

const challengeField = z.string('Please send the challenge').max(200)
const secondStepSchema = z
  .strictObject({
    challenge: challengeField,
    code: codeField.optional(),
    recovery_code: codeField.optional(),
    credential: credentialField.optional(),
  })
  .refine(hasOneOf('code', 'recovery_code', 'credential'), oneProofSentence)
export type SecondStepForm = z.output<typeof secondStepSchema>
const reauthenticationSchema = z
  .strictObject({
    password: z.string().max(1000).optional(),
    code: codeField.optional(),
    credential: credentialField.optional(),
  })
  .refine(hasOneOf('password', 'code', 'credential'), oneProofSentence)

const recoveryCodesSchema = z.object({ recovery_codes: z.array(z.string()) })
const requiredRolesSchema = z.strictObject({
  super_admin: booleanField,
  admin: booleanField,
  leads_handler: booleanField,
  customer: booleanField,
})

/** What one keeps under one's own profile. */
export const secondFactorContract = {
  read: endpoint('GET /user/second-factor', {
    allow: signedIn,
    openBeforeEnrolment: true,
    description: "One's own second factors, and whether one's role must have one.",
    response: z.object({
      totp: z.boolean(),
      passkeys: z.array(passkeySchema),
      recovery_codes_left: z.int(),
      required: z.boolean(),
    }),
  }),
  beginTotp: endpoint('POST /user/totp', {
    allow: signedIn,
    openBeforeEnrolment: true,
    reauthenticate: true,
    description:
      'A new secret for an authenticator app, shown this once; it counts after `PUT user/totp`. 409 where an app is set up.',
    response: z.object({ secret: z.string(), uri: z.string() }),
  }),
  enableTotp: endpoint('PUT /user/totp', {
    allow: signedIn,
    openBeforeEnrolment: true,
    reauthenticate: true,
    description: 'Turns the authenticator app on with a code of it, and answers recovery codes, shown this once.',
    body: codeFormSchema,
    response: recoveryCodesSchema,
  }),
  disableTotp: endpoint('DELETE /user/totp', {
    allow: signedIn,
    openBeforeEnrolment: true,
    reauthenticate: true,
    description: 'Turns the authenticator app off with a code of it; the recovery codes end too.',
    body: codeFormSchema,
    success: 'The authenticator app was turned off',
  }),
  newRecoveryCodes: endpoint('POST /user/recovery-codes', {
    allow: signedIn,
    reauthenticate: true,
    description: 'Ten new recovery codes, shown this once, in place of the old ones. 409 without a second factor.',
    confirm: 'Are you sure to make new recovery codes? The old ones end.',
    response: recoveryCodesSchema,
  }),
  passkeyOptions: endpoint('POST /user/passkeys/options', {
    allow: signedIn,
    openBeforeEnrolment: true,
    reauthenticate: true,
    description: 'What the browser needs to make a passkey (WebAuthn creation options).',
    response: authenticatorOptionsSchema,
  }),
  addPasskey: endpoint('POST /user/passkeys', {
    allow: signedIn,
    openBeforeEnrolment: true,
    reauthenticate: true,
    description: 'Keeps a passkey that the browser has made.',
    body: z.strictObject({ name: requiredText('Please input a name', 100), credential: credentialField }),
    response: passkeySchema,
    success: 'The passkey was added',
  }),
  removePasskey: endpoint('DELETE /user/passkeys/:id', {
    allow: signedIn,
    openBeforeEnrolment: true,
    reauthenticate: true,
    confirm: 'Are you sure to remove this passkey?',
    success: 'The passkey was removed',
  }),
}

/** How a second factor is asked for. */
export const secondStepContract = {
  finishLogin: endpoint('POST /user/login/second', {
    allow: allowEveryone,
    description:
      'The second step of a sign-in. A challenge works once, for 10 minutes. A wrong proof answers 200 with an `error`; ten of an account in 15 minutes answer 429.',
    body: secondStepSchema,
    response: tokenOrErrorSchema,
  }),
  passkeyLoginOptions: endpoint('POST /user/login/passkey/options', {
    allow: allowEveryone,
    description:
      'What the browser needs to sign with a passkey (WebAuthn request options): with a challenge one of that account, else any.',
    body: z.strictObject({ challenge: challengeField.optional() }).optional(),
    response: authenticatorOptionsSchema,
  }),
  passkeyLogin: endpoint('POST /user/login/passkey', {
    allow: allowEveryone,
    description: 'Signs in with a passkey alone: with its user verified it is both factors.',
    body: z.strictObject({ credential: credentialField }),
    response: tokenOrErrorSchema,
  }),
  reauthenticate: endpoint('POST /user/reauthenticate', {
    allow: signedIn,
    description:
      'Proves once more who is there, for the calls that ask for it after 15 minutes. With a second factor it must be that.',
    body: reauthenticationSchema,
  }),
}

export const requiredRolesContract = {
  read: endpoint('GET /access/second-factor', {
    allow: superAdminOnly,
    description: 'Which roles must have a second factor.',
    response: requiredRolesSchema,
  }),
  save: endpoint('PUT /access/second-factor', {
    allow: superAdminOnly,
    description: 'Those of a role that must have a second factor can do nothing else until they have set one up.',
    body: requiredRolesSchema,
    response: requiredRolesSchema,
    success: 'Required second factors were saved successfully',
  }),
}
