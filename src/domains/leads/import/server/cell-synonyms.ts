import { personNames } from '../../intake/server/person-fields.ts'

/** Not those that are notes of the agency. */
const messageTitles = [
  ...'comment or message, how can we help, project details, lead message, form message, mensaje'.split(', '),
  ...'nachricht, mensagem, messaggio, bericht'.split(', '),
]

/** Titles that are those of a time only where the values are times, and the date has none of its own. */
export const datesOrTimes: readonly string[] = [
  ...'start time, created time, submission time, time received, call start, call start time, start'.split(', '),
  ...'timestamp, received, submitted, created'.split(', '),
]

/** The column titles that CallRail, WhatConverts and common spreadsheets use, per field; the most reliable first. */
export const cellSynonyms: Readonly<Record<string, readonly string[]>> = {
  lead_id: ['id', 'call id', 'lead number', 'entry id', 'submission id', 'resource id', 'record id'],
  lead_date: [
    ...'date created, created at, created on, created, start time, date/time, date and time'.split(', '),
    ...'timestamp, submitted at, submitted on, submitted, submission date, received at, received'.split(', '),
    ...'call date, created time, date added, lead submit time, submission time, created date'.split(', '),
    ...'create date, creation date, lead created, lead created date, date submitted, lead created at'.split(', '),
    ...'event created date & time, submit date, inquiry date, date received, received on'.split(', '),
    ...'call date & time, call start, call start time, start, start date, date of call, entry date'.split(', '),
    ...'date entered, added, added on, contact date, fecha, fecha de creación, fecha y hora, datum'.split(', '),
    ...'erstellt am, date de création, data, date started, conversion date, lead received'.split(', '),
    ...'request date, deal created, zeitstempel, marca temporal, horodateur, carimbo de data/hora'.split(', '),
    ...'informazioni cronologiche, tijdstempel, call time'.split(', '),
  ],
  lead_time: [
    ...'call time, time created, time submitted, uhrzeit, hora, heure, ora, tijd'.split(', '),
    ...datesOrTimes,
  ],
  lead_name: [
    ...'invitee name, contact name, customer name, caller name, full name, your name, contact'.split(', '),
    ...'customer, caller, prospect, prospect name, visitor, visitor name, person, lead, homeowner'.split(', '),
    ...personNames.name.filter((name) => name !== 'clientname'), // whose campaign it is
  ],
  lead_location: ['caller location', 'customer location', 'address'],
  lead_email: [
    ...'invitee email, contact email, contact email address, customer email, email address'.split(', '),
    ...'your email, user email, work email, mail'.split(', '),
    ...['email 1', 'primary email', 'email (enter email)', ...personNames.email],
  ],
  lead_phone: [
    ...'contact phone, contact phone number, customer phone number, customer phone, caller number'.split(', '),
    ...'caller phone number, caller phone, calling number, from number, external number, your phone'.split(', '),
    ...'your tel, text reminder number, user phone, work phone, telephone, tel, mobile, cell phone'.split(', '),
    ...'cell'.split(', '),
    ...['telephone number', 'phone 1', 'best phone', ...personNames.phone.filter((name) => name !== 'phonenumber')],
    'from',
    'caller', // beside a name of the caller
    'caller id', // beside a number of the caller, it is a name; a phone number beside it is the dialed one
    'phone number',
  ],
  message: [
    ...'comments, comment, inquiry, details, description, question, your message, transcription'.split(', '),
    ...messageTitles,
  ],
  notes: ['note', 'lead notes', 'internal notes'],
  duration: [
    ...'duration (seconds), call duration seconds, call duration (seconds), call duration'.split(', '),
    ...'call length, length, talk time, duration (sec), duration (s), seconds, duration (total), talking'.split(', '),
    ...'dauer, duración, durée, durata, duração, duur'.split(', '),
  ],
  answered: ['call status', 'answer status', 'action result'],
  voicemail: ['voice mail', 'left voicemail'],
  spam: ['is spam', 'marked as spam', 'spam?'],
  recording: ['recording url', 'call recording', 'recording link', 'play recording'],
  client_value: [
    ...'sales value, quote value, amount, revenue, lead value, sale amount, job value, deal value'.split(', '),
    ...'value (usd), valor, betrag, montant, importe'.split(', '),
  ],
  last_url: ['lead url', 'landing page', 'landing url', 'landing page url', 'page url', 'form url', 'page'],
  referrer: ['referring url', 'referring page', 'referer', 'referral'],
  source: ['traffic source', 'marketing source', 'utm source', 'referral source', 'channel'],
  tags: ['tag', 'labels'],
  rating: ['stars'],
  keywords: ['lead keyword', 'keyword', 'search term', 'utm term'],
  gclid: ['google click id', 'gcl id'],
  tracking_phone_number: ['tracking number', 'number dialed', 'called number', 'destination number', 'phone number'],
  tracking_source: ['number name', 'phone name', 'tracking number name'],
}
