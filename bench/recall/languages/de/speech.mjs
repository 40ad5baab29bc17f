// What people say in German beside facts about themselves, in the form of ../pack.mjs.
export const SPEECH = {
  gap: ' ',
  reportCharacters: 3700,
  prose: '{s} {v} {o}, {e}.',
  asked: `
    Wobei kannst du mir helfen?
    Wie entstehen Ebbe und Flut?
    Warum ist der Himmel abends rot?
    Kannst du Zinseszins in zwei Sätzen erklären?
    Was unterscheidet ein Krokodil von einem Alligator?
    Wirst du von Fragen manchmal müde?
    Was ist schwerer, ein Liter Milch oder ein Liter Wasser?
    Wie geht ein Rotweinfleck aus der Tischdecke?
    Stimmt es, dass Fledermäuse blind sind?
    Wie lange muss ein Ei kochen?
    Kannst du einen Podcast empfehlen?
    Wie wirkt eine Impfung?
    Warum muss man beim Zwiebelschneiden weinen?
    Was ist die Hauptstadt der Mongolei?
    Können Pflanzen hören?
    Wer hat den Reißverschluss erfunden?
    Wie viele Knochen hat eine Hand?
    Wie wird Altpapier wiederverwertet?
  `,
  requested: `
    Schreib ein kurzes Gedicht über Herbstlaub.
    Übersetze bitte "bis morgen" ins Französische.
    Gib mir ein Rätsel auf.
    Mach eine Packliste für ein Wochenende.
    Mach daraus eine höfliche Mail: Ich kann nicht kommen, zu viel zu tun.
    Erzähl mir einen Witz über Pinguine.
    Fass die Handlung von Hamlet in einer Zeile zusammen.
    Sortiere diese Wörter: Pflaume, Kirsche, Quitte, Birne.
    Runde 17,38 auf eine Stelle.
    Schlag drei Reime auf Mond vor.
    Nenne ein anderes Wort für riesig.
    Rechne 12 Zoll in Zentimeter um.
    Erfinde einen Werbespruch für einen Schirmladen.
  `,
  remarks: `
    Guten Morgen!
    Hallo noch mal.
    Danke, das war nützlich.
    Ha, sehr gut.
    Es regnet schon den ganzen Tag.
    Ich habe schlecht geschlafen.
    Was für eine Woche.
    Der Zug war schon wieder verspätet.
    Ich bin mir nicht sicher.
    Das leuchtet ein.
    Gut, lassen wir das.
    Du hast natürlich recht.
    Die Nachrichten sind zurzeit deprimierend.
    Ich musste eine Stunde in der Schlange warten.
    Das Internet war heute Vormittag langsam.
    Jemand hat vor dem Tor geparkt.
    Es ist viel zu heiß hier.
    Ich habe meinen Schirm vergessen.
    Keine Ahnung, wirklich.
    Lass mich darüber nachdenken.
    Das ging schnell.
    Macht nichts.
    Alles ist teuer geworden.
    Die Besprechung wollte nicht enden.
    Es gab einen schönen Sonnenuntergang.
    Ich komme später darauf zurück.
    Klingt gut.
    Der Lift im Haus ist außer Betrieb.
    Der Laden war zu, als ich kam.
    Okay.
    Gar nicht schlecht!
  `,
  topics: `
    eine Dampfmaschine
    das Polarlicht
    die Nahrungskette
    die Börse
    eine Hängebrücke
    das Kirchenjahr
    ein Bienenvolk
    die Meeresströmung
    ein Sonett
    die Druckerpresse
    eine Sonnenfinsternis
    die Seidenstraße
    das Gletschereis
    das metrische System
    ein Kreuzworträtsel
    die Abseitsregel
    das Korallenriff
    die Dezimalklassifikation
    die Zeitverschiebung
    ein schwarzes Loch
    die Postleitzahl
    eine Ballonfahrt
    das Kraftwerk
    die Mondphase
    ein Pfannkuchenrezept
    das Schachspielen
    die Tabellenkalkulation
    die Geschichte der Gabel
    ein Vorstellungsgespräch
    die Zahnfee
    ein Thermostat
    das Alphabet
    die Vulkaninsel
    das olympische Feuer
    die Fotosynthese
    ein Pendel
    das Passwort
    die älteste Eiche
    ein Kameraobjektiv
    das Bermudadreieck
    ein Regenmessgerät
    die Goldwährung
  `,
  about: `
    Wie funktioniert das: {t}?
    Erkläre einem Kind das Thema {t}.
    Was ist das Besondere daran: {t}?
    Schreib einen Limerick zum Thema {t}.
    Was haben {t} und {o} gemeinsam?
    Ich habe einen Artikel gelesen, Thema: {t}, recht interessant.
    Drei Quizfragen zum Thema {t}, bitte.
    Im Radio kam etwas zum Thema {t}.
    Was verstehen die meisten falsch, wenn es heißt: {t}?
    Finde eine Metapher, in der {t} und {o} vorkommen.
    Denk dir eine Schlagzeile aus, Stichwort {t}.
    Im Bus wurde gestritten, es ging um {t}.
    Sag etwas Lustiges zum Thema {t}.
    Was war zuerst da, {t} oder {o}?
  `,
  before: [
    'Übrigens: ',
    'Bevor ich es vergesse: ',
    'Das solltest du wissen: ',
    'Noch etwas: ',
    'Zu deiner Information: ',
    'Ach, und noch etwas. ',
    'Ich glaube, das habe ich dir noch nicht gesagt. ',
    'Kleine Anmerkung: ',
  ],
  after: [
    ' Nur damit du es weißt.',
    ' Ich dachte, ich erwähne es mal.',
    ' Na ja.',
    ' So ist es eben.',
    ' Hast du ein Zitat über Geduld für mich?',
    ' Wie geht es dir heute?',
    ' Genug von mir.',
  ],
  asking: ['Kurze Frage: ', 'Hilf mir auf die Sprünge: ', 'Weißt du das noch? ', 'Ich brauche deine Hilfe. ', 'Sag mir bitte: '],
  subjects: `
    Der Ausschuss
    Die Zeitung
    Der Stadtrat
    Der Dokumentarfilm
    Der Artikel
    Der Vortrag
    Der Bericht
    Die Ausstellung
  `,
  verbs: `
    behandelte ausführlich
    streifte nur kurz
    versuchte zu erläutern
    betrachtete immer wieder
    ließ beiseite
    lobte
    bemängelte
  `,
  objects: `
    den Fahrplan der Stadtbahn
    die Preise für Bauholz
    die Geschichte des Hafens
    die Farben alter Landkarten
    die Instandsetzung der Brücke
    die fehlenden Bänke im Park
    die Form der Wolken über der Bucht
    die Gewohnheiten der Störche
    den Lärm des Marktes
    die Steuer auf Zucker
    das neue Dach des Bahnhofs
    die Warteschlange auf der Post
  `,
  ends: `
    was keiner erwartet hatte
    und das war alles
    obwohl die Zeit knapp war
    wie jedes Jahr
    während das Publikum unruhig wurde
    ganz ohne Zahlen
    und danach gab es Kuchen
    zur allgemeinen Überraschung
  `,
};
